/** The settings for requests to receivers: the proxy, and the local and the public addresses. */
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

import ipaddr from 'ipaddr.js'

import { flag } from './rules.js'
import { optional, secretSetting, setting } from './setting.js'
import type { Rule } from './setting.js'

export interface ProxyAddress {
  /** Whether the connection to the proxy uses TLS. */
  secure: boolean
  /** Without brackets. */
  host: string
  port: number
  /** The value of `proxy-authorization`, which is secret. */
  authorization: string | null
}

const proxyExample = 'must be the URL of a proxy, such as http://user:password@proxy.example.com:3128'

/** Messages must not contain the value, which is secret. */
export const egressProxy: Rule<ProxyAddress> = (value) => {
  const url = URL.parse(value.trim())
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash)
    throw new Error(proxyExample)
  const secure = url.protocol === 'https:'
  return {
    secure,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port ? Number(url.port) : secure ? 443 : 80,
    authorization: url.username || url.password ? encodeCredentials(url) : null,
  }
}

function encodeCredentials({ username, password }: URL): string {
  try {
    const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    return `Basic ${Buffer.from(text).toString('base64')}`
  } catch {
    throw new Error('must have a percent-encoded user name and password')
  }
}

/** At most one address per family, because each connection has one. */
export interface SourceAddresses {
  ipv4: string | null
  ipv6: string | null
}

export const sourceAddresses: Rule<SourceAddresses> = (value) => {
  const addresses = value.split(',').map((part) => part.trim())
  const [ipv4, ipv6] = [4, 6].map((family) => addresses.filter((each) => isIP(each) === family))
  if (ipv4!.length + ipv6!.length < addresses.length || ipv4!.length > 1 || ipv6!.length > 1)
    throw new Error('must be an IPv4 address, an IPv6 address, or one of each, such as 198.51.100.7')
  const foreign = addresses.find((address) => !isOwnAddress(address))
  if (foreign !== undefined)
    throw new Error(`must be an address of this machine; no network interface has ${foreign}`)
  return { ipv4: ipv4![0] ?? null, ipv6: ipv6![0] ?? null }
}

/** Every address in 127.0.0.0/8 belongs to this machine, although interfaces list only one. */
function isOwnAddress(address: string): boolean {
  const sought = ipaddr.parse(address)
  if (sought.range() === 'loopback') return true
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some((own) => ipaddr.parse(own.address).toNormalizedString() === sought.toNormalizedString())
}

/** IP addresses and networks, as given. */
const publicAddresses: Rule<string[]> = (value) => {
  const parts = value.split(',').map((part) => part.trim())
  if (!parts.every((part) => isIP(part) !== 0 || ipaddr.isValidCIDR(part)))
    throw new Error('must be a list of IP addresses and networks, such as 198.51.100.7,2001:db8::/64')
  return parts
}

/** Returns a host for URLs, with brackets around an IPv6 address. */
export function formatHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

export const egressSettings = {
  webhookProxy: secretSetting(
    optional(
      'WEBHOOK_PROXY',
      egressProxy,
      'URL of an HTTP proxy (`http:` or `https:`) for all requests to webhook receivers, such as `http://user:password@proxy.example.com:3128`. The proxy must support CONNECT, resolve the host names of receivers, and refuse private addresses. Default: none.',
    ),
  ),
  webhookSourceAddress: optional(
    'WEBHOOK_SOURCE_ADDRESS',
    sourceAddresses,
    'Local IP address that requests to webhook receivers are sent from: an IPv4 address, an IPv6 address, or one of each, separated by a comma. Default: chosen by the system.',
  ),
  webhookEgressIps: optional(
    'WEBHOOK_EGRESS_IPS',
    publicAddresses,
    'Public IP addresses and networks that requests to receivers come from, such as those of a NAT gateway or a proxy. Shown to users, so that they can allow them in their firewalls. Has no effect on requests. Default: the addresses of `WEBHOOK_SOURCE_ADDRESS` if no proxy is set.',
  ),
  webhookTraceparent: setting(
    'WEBHOOK_TRACEPARENT',
    flag,
    'false',
    'Whether requests to webhook receivers have the header `traceparent`, so that receivers can continue the trace of an event. See `docs/tracing.md`.',
  ),
}
