/** Which addresses the outgoing client may connect to: public ones, and those that the operator opened. */
import { isIP } from 'node:net'

import ipaddr from 'ipaddr.js'

import type { Network } from '../config/rules.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

const forbidden: Network[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // This public address answers every machine of a large cloud with that machine's settings.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
].map((network) => ipaddr.parseCIDR(network))

/** Where IPv6 addresses of the internet are; what lies outside is private, reserved or not given out. */
const global = ipaddr.parseCIDR('2000::/3')

/** Behind these a translator (NAT64) connects to the IPv4 address in the last four bytes. */
const translated = ipaddr.parseCIDR('64:ff9b::/96')

export function mayConnect(address: string, allowed: readonly Network[]): boolean {
  // Short and octal forms mean different things to different libraries: what is not in the one plain form is refused.
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  return isPublic(parsed) || isWithin(parsed, allowed) || isWithin(unmapped(parsed), allowed)
}

function isPublic(address: Address): boolean {
  if (isWithin(address, [translated])) return isPublic(new ipaddr.IPv4(address.toByteArray().slice(12)))
  if (address instanceof ipaddr.IPv6 && !isWithin(address, [global])) return false
  return !isWithin(address, forbidden)
}

function isWithin(address: Address, networks: readonly Network[]): boolean {
  return networks.some(
    ([network, prefix]) => network.kind() === address.kind() && address.match(network, prefix),
  )
}

/** The system connects to `::ffff:10.0.0.1` as to `10.0.0.1`. */
function unmapped(address: Address): Address {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

/**
 * The addresses that a host (as `URL` gives it) names without anyone being asked; null for a name to be looked up.
 * `localhost` and all below it are this machine by RFC 6761, whatever a name server says.
 */
export function writtenAddresses(hostname: string): string[] | null {
  const bare = hostname.replace(/\.$/, '')
  const literal = bare.startsWith('[') ? bare.slice(1, -1) : bare
  if (isIP(literal) !== 0) return [literal]
  return /(^|\.)localhost$/.test(bare) ? ['127.0.0.1', '::1'] : null
}
