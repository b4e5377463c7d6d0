import { networks } from '../config/rules.js'
import { blocked, hostsOfThisMachine, open } from '../../../test/support/addresses.js'
import { Resolver } from './resolver.js'

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
  const nobody = new Resolver([], () => Promise.reject(new Error('nobody is to be asked')))

  it.each(hostsOfThisMachine)('%s is refused without a look-up', (host) => {
    const { hostname } = new URL(`https://${host}/`)
    expect(() => nobody.written(hostname)).toThrow('is a private or reserved address')
  })

  it('of this machine gives those addresses that the operator allows', () => {
    expect(new Resolver(loopback).written('localhost')).toEqual(['127.0.0.1'])
    expect(new Resolver(networks('::1/128')).written('a.localhost.')).toEqual(['::1'])
    expect(new Resolver(loopback).written('127.0.0.1')).toEqual(['127.0.0.1'])
    expect(() => new Resolver(loopback).written('[::1]')).toThrow('private or reserved')
  })

  it('is not taken for a name, nor a name for it', () => {
    expect(nobody.written('1.1.1.1')).toEqual(['1.1.1.1'])
    expect(nobody.written('[2606:4700:4700::1111]')).toEqual(['2606:4700:4700::1111'])
    expect(nobody.written('localhost.example')).toBeNull()
  })
})
