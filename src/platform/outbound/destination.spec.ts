import { networks } from '../config/rules.js'
import { isAllowedAddress, Resolver } from './destination.js'
import { blocked, open, hostsOfThisMachine } from '../../../test/support/addresses.js'

describe('an IP address', () => {
  it.each(blocked)('is blocked if it is %s', (address) => {
    expect(isAllowedAddress(address, [])).toBe(false)
  })

  it.each(open)('is allowed if it is %s', (address) => {
    expect(isAllowedAddress(address, [])).toBe(true)
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
  ])('is blocked if it is written as %j', (text) => {
    expect(isAllowedAddress(text, [])).toBe(false)
  })
})

describe('an allowed network', () => {
  it.each([
    ['127.0.0.0/8', '127.9.9.9'],
    ['127.0.0.0/8', '::ffff:127.0.0.1'],
    ['10.1.0.0/16,192.168.7.7/32', '192.168.7.7'],
    ['::1/128', '::1'],
    ['fd00::/8', 'fd12:3456::1'],
    ['64:ff9b::/96', '64:ff9b::a00:1'],
  ])('%s allows %s', (allowed, address) => {
    expect(isAllowedAddress(address, networks(allowed))).toBe(true)
  })

  it.each([
    ['127.0.0.0/8', '10.0.0.1'],
    ['127.0.0.0/8', '::1'],
    ['127.0.0.0/8', '::ffff:10.0.0.1'],
    ['127.0.0.0/8', '64:ff9b::7f00:1'],
    ['10.1.0.0/16', '10.2.0.1'],
    ['192.168.7.7/32', '192.168.7.8'],
    ['::1/128', '127.0.0.1'],
  ])('%s does not allow %s', (allowed, address) => {
    expect(isAllowedAddress(address, networks(allowed))).toBe(false)
  })
})

const loopback = networks('127.0.0.0/8')

function resolvingTo(...addresses: string[]): Resolver {
  return new Resolver([], () => Promise.resolve(addresses))
}

describe('a name', () => {
  it.each(blocked)('is blocked if it resolves to %s', async (address) => {
    await expect(resolvingTo(address).resolveName('hooks.example')).rejects.toMatchObject({
      kind: 'blocked_address',
    })
    await expect(resolvingTo('1.1.1.1', address).resolveName('hooks.example')).rejects.toMatchObject({
      kind: 'blocked_address',
    })
  })

  it.each(open)('resolves to %s', async (address) => {
    expect(await resolvingTo(address).resolveName('hooks.example')).toEqual([address])
  })

  it('is blocked without revealing its address', async () => {
    await expect(resolvingTo('10.11.12.13').resolveName('hooks.example')).rejects.toThrow(
      /^The name hooks\.example resolves to a private or reserved address; only public addresses are allowed\.$/,
    )
  })

  it('fails with `dns` if it is unknown or has no address', async () => {
    await expect(resolvingTo().resolveName('hooks.example')).rejects.toMatchObject({ kind: 'dns' })
    const unknown = new Resolver([], () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' })))
    await expect(unknown.resolveName('hooks.example')).rejects.toMatchObject({
      kind: 'dns',
      message: 'The name hooks.example does not exist.',
    })
  })

  it('is looked up once for concurrent requests, and again for later ones', async () => {
    const lookups: string[] = []
    const resolver = new Resolver([], (name) => {
      lookups.push(name)
      return Promise.resolve(['1.1.1.1'])
    })
    await Promise.all([1, 2, 3].map(() => resolver.resolveName('hooks.example')))
    expect(lookups).toEqual(['hooks.example'])
    await resolver.resolveName('hooks.example')
    expect(lookups).toHaveLength(2)
  })
})

describe('a host that is an IP address or localhost', () => {
  const noLookup = () => Promise.reject(new Error('a name was looked up'))
  const resolver = new Resolver([], noLookup)

  it.each(hostsOfThisMachine)('is blocked without a lookup if it is %s', (host) => {
    const { hostname } = new URL(`https://${host}/`)
    expect(() => resolver.getLiteralAddresses(hostname)).toThrow('is a private or reserved address')
  })

  it('resolves to the allowed addresses of this machine', () => {
    expect(new Resolver(loopback, noLookup).getLiteralAddresses('localhost')).toEqual(['127.0.0.1'])
    expect(new Resolver(networks('::1/128'), noLookup).getLiteralAddresses('a.localhost.')).toEqual(['::1'])
    expect(new Resolver(loopback, noLookup).getLiteralAddresses('127.0.0.1')).toEqual(['127.0.0.1'])
    expect(() => new Resolver(loopback, noLookup).getLiteralAddresses('[::1]')).toThrow('private or reserved')
  })

  it('is distinguished from a name', () => {
    expect(resolver.getLiteralAddresses('1.1.1.1')).toEqual(['1.1.1.1'])
    expect(resolver.getLiteralAddresses('[2606:4700:4700::1111]')).toEqual(['2606:4700:4700::1111'])
    expect(resolver.getLiteralAddresses('localhost.example')).toBeNull()
  })
})
