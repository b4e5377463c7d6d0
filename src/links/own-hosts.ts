/** The addresses under which this service itself answers. A link that leads to one of them could go in circles. */
import ipaddr from 'ipaddr.js'

export type OwnHosts = (url: URL) => boolean

/**
 * `origins` are those that visitors and callers use, `port` is the one that the service listens on. While one of the
 * origins is a loopback address, every other name of the loopback leads to the same place.
 */
export function ownHosts(origins: readonly string[], port: number): OwnHosts {
  const own = origins.map((origin) => new URL(origin))
  const hosts = new Set(own.map(hostOf))
  const onLoopback = own.filter(isLoopback)
  const ports = new Set(onLoopback.length > 0 ? [String(port), ...onLoopback.map(portOf)] : [])
  return (url) => hosts.has(hostOf(url)) || (ports.has(portOf(url)) && isLoopback(url))
}

/** Host and port, in the one form in which they can be compared. */
function hostOf(url: URL): string {
  return `${nameOf(url)}:${portOf(url)}`
}

function nameOf({ hostname }: URL): string {
  return hostname.replace(/\.$/, '')
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80')
}

/** Also the unspecified address: a connection to it reaches the machine that makes it. */
function isLoopback(url: URL): boolean {
  const name = nameOf(url)
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  const address = name.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(address) && ['loopback', 'unspecified'].includes(ipaddr.process(address).range())
}
