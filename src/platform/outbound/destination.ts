/**
 * Resolves the IP addresses of a request and checks them. Public addresses are allowed, and so are those that the
 * operator permits. The caller connects to the checked addresses, without another lookup.
 */
import { isIP } from 'node:net'

import ipaddr from 'ipaddr.js'

import type { Network } from '../config/rules.js'
import { isNotFound } from './name-lookup.js'
import type { LookUp } from './name-lookup.js'
import { Failure } from './outcome.js'

/** The origin of a request's URL. */
export interface Origin {
  /** `https://hooks.example:8443` */
  text: string
  secure: boolean
  /** As `URL` gives it: lower-case, IPv6 in brackets. */
  hostname: string
  port: number
}

/** Returns the origin of a URL. Rejects plain http too: the rules may be stricter than when the URL was registered. */
export function parseOrigin(url: URL, allowHttp: boolean): Origin {
  const secure = url.protocol === 'https:'
  if (!secure && !(allowHttp && url.protocol === 'http:'))
    throw new Failure('other', 'The URL does not start with https://, so nothing was sent.')
  const port = url.port ? Number(url.port) : secure ? 443 : 80
  return { text: url.origin, secure, hostname: url.hostname, port }
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Networks without public receivers. The guide to the egress proxy lists them too. */
export const forbiddenNetworks = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Azure serves the settings of each machine at this public address.
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
]
const forbidden: Network[] = forbiddenNetworks.map((network) => ipaddr.parseCIDR(network))

/** The public IPv6 addresses. All others are private, reserved or unassigned. */
const global = ipaddr.parseCIDR('2000::/3')

/** For these addresses, NAT64 connects to the IPv4 address in the last four bytes. */
const translated = ipaddr.parseCIDR('64:ff9b::/96')

/** Returns whether an address is public or allowed by the operator. */
export function isAllowedAddress(address: string, allowed: readonly Network[]): boolean {
  // Libraries disagree on short and octal forms, so only the standard form is accepted.
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  return isPublic(parsed) || isWithin(parsed, allowed) || isWithin(toUnmappedAddress(parsed), allowed)
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

/** Returns the IPv4 address of an IPv4-mapped one: the system connects to `::ffff:10.0.0.1` as to `10.0.0.1`. */
function toUnmappedAddress(address: Address): Address {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

/**
 * Returns the addresses of a host (as in `URL`) that needs no lookup, or null. `localhost` and its subdomains are
 * always this machine (RFC 6761).
 */
export function parseLiteralAddresses(hostname: string): string[] | null {
  const bare = hostname.replace(/\.$/, '')
  const literal = bare.startsWith('[') ? bare.slice(1, -1) : bare
  if (isIP(literal) !== 0) return [literal]
  return /(^|\.)localhost$/.test(bare) ? ['127.0.0.1', '::1'] : null
}

export class Resolver {
  private readonly runningLookups = new Map<string, Promise<readonly string[]>>()

  constructor(
    private readonly allowed: readonly Network[],
    private readonly lookUp: LookUp,
  ) {}

  /** Returns the allowed addresses of a host that needs no lookup, or null for a name. */
  getLiteralAddresses(hostname: string): readonly string[] | null {
    const open = parseLiteralAddresses(hostname)?.filter((address) => isAllowedAddress(address, this.allowed))
    if (open?.length === 0) throw createBlockedFailure(`${hostname} is a private or reserved address`)
    return open ?? null
  }

  async resolveName(hostname: string): Promise<readonly string[]> {
    const addresses = await this.lookUpOnce(hostname).catch((error: unknown) => {
      throw createDnsFailure(hostname, error)
    })
    if (addresses.length === 0) throw new Failure('dns', `The name ${hostname} has no address.`)
    // A single forbidden address blocks the name, because attackers mix public and private addresses.
    if (!addresses.every((address) => isAllowedAddress(address, this.allowed)))
      throw createBlockedFailure(`The name ${hostname} resolves to a private or reserved address`)
    return addresses
  }

  /** Connections that open at the same time share one lookup. */
  private lookUpOnce(hostname: string): Promise<readonly string[]> {
    const running = this.runningLookups.get(hostname)
    if (running) return running
    const started = this.lookUp(hostname).finally(() => this.runningLookups.delete(hostname))
    this.runningLookups.set(hostname, started)
    return started
  }
}

/** The reason must not contain a resolved address, which would reveal the internal network. */
function createBlockedFailure(reason: string): Failure {
  return new Failure('blocked_address', `${reason}; only public addresses are allowed.`)
}

/** Codes of c-ares and of the system: no name server responded in time. */
const silentCodes = new Set(['ETIMEOUT', 'ECANCELLED', 'ECONNREFUSED', 'EAI_AGAIN'])

function createDnsFailure(hostname: string, error: unknown): Failure {
  const { code } = error as NodeJS.ErrnoException
  if (isNotFound(error as NodeJS.ErrnoException))
    return new Failure('dns', `The name ${hostname} does not exist.`)
  if (code !== undefined && silentCodes.has(code))
    return new Failure('dns', `The name ${hostname} could not be looked up: its DNS server did not respond.`)
  return new Failure('dns', `The name ${hostname} could not be looked up.`)
}
