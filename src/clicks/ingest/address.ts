import { isIP } from 'node:net'

import ipaddr from 'ipaddr.js'

export type AddressMode = 'truncate' | 'full' | 'none'

/** What may be kept of a visitor's address: by default the network, /24 or /48. Null for what is no address. */
export function keptAddress(address: string, mode: AddressMode): string | null {
  if (mode === 'none' || !isIP(address)) return null
  const parsed = ipaddr.process(address)
  if (mode === 'full') return parsed.toString()
  const kept = parsed.kind() === 'ipv4' ? 3 : 6
  const bytes = parsed.toByteArray().fill(0, kept)
  return ipaddr.fromByteArray(bytes).toString()
}
