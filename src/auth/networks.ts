/** Networks that a token may be used from. */
import { BlockList, isIP } from 'node:net'

import ipaddr from 'ipaddr.js'

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6
type AddressBlock = [address: IpAddress, prefixLength: number]

const mappedPrefix = 96

/** Returns the network in its canonical form, such as `10.0.0.0/8`, or null if the text is not a CIDR or an address. */
export function normalizeNetwork(text: string): string | null {
  const network = parseNetwork(text)
  if (!network) return null
  const [address, prefix] = network
  const start =
    address.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(`${address.toString()}/${prefix}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${prefix}`)
  return `${start.toString()}/${prefix}`
}

/** Returns the networks that no allowed network contains. All networks are in their canonical form. */
export function findNetworksOutside(networks: readonly string[], allowed: readonly string[]): string[] {
  const outer = allowed.map((text) => parseNetwork(text)!)
  return networks.filter((text) => {
    const [address, prefix] = parseNetwork(text)!
    return !outer.some(
      ([start, length]) =>
        start.kind() === address.kind() && length <= prefix && address.match([start, length] as never),
    )
  })
}

/** Returns a function that tests whether an address is in one of the networks. Any other text is in none. */
export function createAddressMatcher(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const text of networks) {
    const [address, prefix] = parseNetwork(text)!
    list.addSubnet(address.toString(), prefix, address.kind())
  }
  return (text) => {
    // Link-local addresses of connections have a zone, such as `fe80::1%eth0`.
    const [literal = ''] = text.split('%')
    if (isIP(literal) === 0) return false
    const address = toUnmapped(ipaddr.parse(literal))
    return list.check(address.toString(), address.kind())
  }
}

/** Libraries disagree on short and octal forms of IPv4, so only the standard form is accepted. */
function parseNetwork(text: string): AddressBlock | null {
  const [, literal = '', length] = /^([0-9a-fA-F.:]{2,45})(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const version = isIP(literal)
  if (version === 0) return null
  const bits = version === 4 ? 32 : 128
  const prefix = length === undefined ? bits : Number(length)
  if (prefix > bits) return null
  const parsed = ipaddr.parse(literal)
  const address = prefix >= mappedPrefix ? toUnmapped(parsed) : parsed
  return [address, address === parsed ? prefix : prefix - mappedPrefix]
}

/** Returns the IPv4 address of an IPv4-mapped one: sockets that accept both report `::ffff:10.0.0.1`. */
function toUnmapped(address: IpAddress): IpAddress {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}
