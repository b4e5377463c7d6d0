/** Limits the checks to receivers on this machine, because they send forged requests. */
import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'

import ipaddr from 'ipaddr.js'

import { UsageError } from '../../platform/config/startup-error.js'

/** Returns the IP address to connect to. Throws if the host has an address of another machine. */
export async function findLocalAddress({ hostname }: URL): Promise<string> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const found = await lookup(host, { all: true }).catch(() => {
    throw new UsageError(`The host ${host} was not found.`)
  })
  const remote = found.find(({ address }) => !isLocal(address))
  if (remote)
    throw new UsageError(
      `${host} is not an address of this machine${remote.address === host ? '' : ` (${remote.address})`}. Run this command where the receiver runs, because it sends forged requests.`,
    )
  return found[0]!.address
}

export function isLocal(address: string): boolean {
  const parsed = ipaddr.process(address)
  if (parsed.range() === 'loopback') return true
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some((own) => ipaddr.process(own.address.replace(/%.*/, '')).toString() === parsed.toString())
}
