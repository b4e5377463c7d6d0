import { networks } from '../config/rules.js'
import { mayConnect, Resolver } from './destination.js'
import { blocked, open, hostsOfThisMachine } from '../../../test/support/addresses.js'

describe('an address', () => {
  it.each(blocked)('%s may not be connected to', (address) => {
    expect(mayConnect(address, [])).toBe(false)
  })

  it.each(open)('%s may be connected to', (address) => {
    expect(mayConnect(address, [])).toBe(true)
  })

  it.each([
    '',
    'localhost',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '[::1]',
    '1.1.1.1 ',
    'fe80::1%eth0',
  ])('that is written as %j may not be connected to', (text) => {
    expect(mayConnect(text, [])).toBe(false)
  })
})

describe('the networks that the operator allows', () => {
  it.each([
    ['127.0.0.0/8', '127.9.9.9'],
    ['127.0.0.0/8', '::ffff:127.0.0.1'],
    ['10.1.0.0/16,192.168.7.7/32', '192.168.7.7'],
    ['::1/128', '::1'],
    ['fd00::/8', 'fd12:3456::1'],
    ['64:ff9b::/96', '64:ff9b::a00:1'],
  ])('%s open %s', (allowed, address) => {
    expect(mayConnect(address, networks(allowed))).toBe(true)
  })

  it.each([
    ['127.0.0.0/8', '10.0.0.1'],
    ['127.0.0.0/8', '::1'],
    ['127.0.0.0/8', '::ffff:10.0.0.1'],
    ['127.0.0.0/8', '64:ff9b::7f00:1'],
    ['10.1.0.0/16', '10.2.0.1'],
    ['192.168.7.7/32', '192.168.7.8'],
    ['::1/128', '127.0.0.1'],
  ])('%s do not open %s', (allowed, address) => {
    expect(mayConnect(address, networks(allowed))).toBe(false)
  })
})

const loopback = networks('127.0.0.0/8')

function answering(...addresses: string[]): Resolver {
  return new Resolver([], () => Promise.resolve(addresses))
}

describe('a name', () => {
  it.each(blocked)('that leads to %s is refused', async (address) => {
    await expect(answering(address).resolve('hooks.example')).rejects.toMatchObject({
      kind: 'blocked_address',
    })
    await expect(answering('1.1.1.1', address).resolve('hooks.example')).rejects.toMatchObject({
      kind: 'blocked_address',
    })
  })

  it.each(open)('that leads to %s gives just that', async (address) => {
    expect(await answering(address).resolve('hooks.example')).toEqual([address])
  })

  it('that is refused gives away neither the address nor what lives there', async () => {
    await expect(answering('10.11.12.13').resolve('hooks.example')).rejects.toThrow(
      /^The name hooks\.example leads into a private or reserved network; only public addresses are called\.$/,
    )
  })

  it('without an address, or that is unknown, is a failure of the look-up', async () => {
    await expect(answering().resolve('hooks.example')).rejects.toMatchObject({ kind: 'dns' })
    const unknown = new Resolver([], () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' })))
    await expect(unknown.resolve('hooks.example')).rejects.toMatchObject({
      kind: 'dns',
      message: 'The name hooks.example does not exist.',
    })
  })

  it('is looked up once for all who ask at the same time, and again for those who ask later', async () => {
    const asked: string[] = []
    const resolver = new Resolver([], (name) => {
      asked.push(name)
      return Promise.resolve(['1.1.1.1'])
    })
    await Promise.all([1, 2, 3].map(() => resolver.resolve('hooks.example')))
    expect(asked).toEqual(['hooks.example'])
    await resolver.resolve('hooks.example')
    expect(asked).toHaveLength(2)
  })
})

describe('a host that is an address', () => {
  const noLookup = () => Promise.reject(new Error('a name was looked up'))
  const nobody = new Resolver([], noLookup)

  it.each(hostsOfThisMachine)('%s is refused without a look-up', (host) => {
    const { hostname } = new URL(`https://${host}/`)
    expect(() => nobody.written(hostname)).toThrow('is a private or reserved address')
  })

  it('of this machine gives those addresses that the operator allows', () => {
    expect(new Resolver(loopback, noLookup).written('localhost')).toEqual(['127.0.0.1'])
    expect(new Resolver(networks('::1/128'), noLookup).written('a.localhost.')).toEqual(['::1'])
    expect(new Resolver(loopback, noLookup).written('127.0.0.1')).toEqual(['127.0.0.1'])
    expect(() => new Resolver(loopback, noLookup).written('[::1]')).toThrow('private or reserved')
  })

  it('is not taken for a name, nor a name for it', () => {
    expect(nobody.written('1.1.1.1')).toEqual(['1.1.1.1'])
    expect(nobody.written('[2606:4700:4700::1111]')).toEqual(['2606:4700:4700::1111'])
    expect(nobody.written('localhost.example')).toBeNull()
  })
})
