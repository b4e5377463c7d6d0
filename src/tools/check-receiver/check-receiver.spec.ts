import { networkInterfaces } from 'node:os'

import { UsageError } from '../../platform/config/startup-error.js'
import { findLocalAddress, isLocal } from './check-receiver.js'

const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])

describe('isLocal', () => {
  it.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])(
    'accepts the loopback address %s',
    (address) => expect(isLocal(address)).toBe(true),
  )

  it('accepts every address of this machine', () => {
    expect(own.filter(({ address }) => !isLocal(address))).toEqual([])
  })

  it.each(['192.0.2.1', '10.255.255.254', '2001:db8::1', '0.0.0.0'])('rejects %s', (address) =>
    expect(isLocal(address)).toBe(false),
  )
})

describe('findLocalAddress', () => {
  it('returns the address to connect to', async () => {
    expect(await findLocalAddress(new URL('http://[::1]:4000/'))).toBe('::1')
    expect(isLocal(await findLocalAddress(new URL('http://localhost:4000/')))).toBe(true)
  })

  it('names the address of another machine', async () => {
    const error = await findLocalAddress(new URL('http://192.0.2.1/hooks')).catch((each: unknown) => each)
    expect(error).toBeInstanceOf(UsageError)
    expect((error as Error).message).toMatch(/^192\.0\.2\.1 is not an address of this machine\. /)
  })
})
