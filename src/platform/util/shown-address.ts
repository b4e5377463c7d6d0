/** Shortens IP addresses of visitors and callers according to CLICK_IP. */
import { isIP } from 'node:net'

import ipaddr from 'ipaddr.js'

import { memoize } from './memoize.js'

export type AddressMode = 'truncate' | 'full' | 'none'

/** Returns the IP address to store or to log. `truncate`, the default, keeps the /24 or /48 network. Null if invalid. */
export function shownAddress(address: string, mode: AddressMode): string | null {
  if (mode === 'none') return null
  return mode === 'full' ? fullAddress(address) : networkAddress(address)
}

const fullAddress = memoize((address) => parseAddress(address)?.toString() ?? null)

const networkAddress = memoize((address) => {
  const parsed = parseAddress(address)
  if (!parsed) return null
  const networkBytes = parsed.kind() === 'ipv4' ? 3 : 6
  const bytes = parsed.toByteArray().fill(0, networkBytes)
  return ipaddr.fromByteArray(bytes).toString()
})

/** Parses an IP address without its zone, which names a network interface, as in fe80::1%eth0. Null if invalid. */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const [address = ''] = text.split('%', 1)
  return isIP(address) === 0 ? null : ipaddr.process(address)
}
