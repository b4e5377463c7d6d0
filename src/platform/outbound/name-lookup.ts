/** Looks up receivers' names without the thread pool, so that a silent name server does not delay other lookups. */
import { lookup, Resolver } from 'node:dns/promises'

import { LRUCache } from 'lru-cache'

import { SystemNames } from './system-names.js'

/** A lookup counts as silent after this time without a response. */
const silentAfterMs = 1_000
/** Maximum number of silent lookups, to bound their sockets. One more cancels the oldest. */
const maxSilentLookups = 50
/** Shorter than the first retry of a request, so that every retry looks the name up again. */
const failureTtlMs = 4_000
const maxCachedFailures = 10_000

/** Returns the addresses of a name. Rejects with the error codes of `node:dns`. */
export type LookUp = (hostname: string) => Promise<readonly string[]>

interface NameLookupOptions {
  /** Name servers in the format of `DNS_SERVERS`. Null uses the system's name servers. */
  servers: readonly string[] | null
  system?: SystemNames
  /** Looks up a single-label name. */
  systemLookup?: LookUp
  /** Time limit of a lookup. The deadline of the request may be earlier. */
  deadlineMs?: number
}

export class NameLookup {
  private readonly failures = new LRUCache<string, Error>({ max: maxCachedFailures, ttl: failureTtlMs })
  /** Functions that cancel silent lookups, oldest first. */
  private readonly silentLookups = new Set<() => void>()
  private lastSystemLookup: Promise<unknown> = Promise.resolve()
  private readonly servers: readonly string[] | null
  private readonly system: SystemNames
  private readonly systemLookup: LookUp
  private readonly deadlineMs: number

  constructor({
    servers,
    system = new SystemNames(),
    systemLookup = getAddresses,
    deadlineMs = 5_000,
  }: NameLookupOptions) {
    this.servers = servers
    this.system = system
    this.systemLookup = systemLookup
    this.deadlineMs = deadlineMs
  }

  /** Returns all addresses of a name. Rejects with the error codes of `node:dns`. */
  async findAddresses(hostname: string): Promise<readonly string[]> {
    const name = hostname.toLowerCase().replace(/\.$/, '')
    const listed = await this.system.findInHosts(name)
    if (listed) return listed
    const failure = this.failures.get(name)
    if (failure) throw failure
    try {
      return await (name.includes('.') ? this.searchServers(name) : this.queueSystemLookup(name))
    } catch (error) {
      this.failures.set(name, error as Error)
      throw error
    }
  }

  /** Tries the name before the search domains, unlike the system: most receivers have a public name. */
  private async searchServers(name: string): Promise<readonly string[]> {
    try {
      return await this.queryServers(name)
    } catch (error) {
      if (!isNotFound(error as NodeJS.ErrnoException)) throw error
      return this.queryLongerNames(await this.system.getSearchNames(name), error)
    }
  }

  /** Rejects with `failure`, or with a failure that leaves open whether one of the names exists. */
  private async queryLongerNames(names: readonly string[], failure: unknown): Promise<readonly string[]> {
    let reason = failure
    for (const name of names)
      try {
        return await this.queryServers(name)
      } catch (error) {
        if (!isNotFound(error as NodeJS.ErrnoException)) reason = error
      }
    throw reason
  }

  /** Uses one c-ares resolver per lookup, because `cancel` ends all queries of a resolver. */
  private async queryServers(name: string): Promise<readonly string[]> {
    const resolver = new Resolver({ timeout: 1_500, tries: 3 })
    if (this.servers) resolver.setServers(this.servers)
    const cancel = () => resolver.cancel()
    const deadline = setTimeout(cancel, this.deadlineMs)
    const silence = setTimeout(() => this.addSilentLookup(cancel), silentAfterMs)
    const responses = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    clearTimeout(deadline)
    clearTimeout(silence)
    this.silentLookups.delete(cancel)

    const [ipv4, ipv6] = responses.map((response) => (response.status === 'fulfilled' ? response.value : []))
    const addresses = interleave(ipv4!, ipv6!)
    if (addresses.length > 0) return addresses
    const errors = responses.flatMap((response) =>
      response.status === 'rejected' ? [response.reason as NodeJS.ErrnoException] : [],
    )
    throw errors.find((error) => !isNotFound(error)) ?? errors[0] ?? createNotFoundError(name)
  }

  private addSilentLookup(cancel: () => void): void {
    this.silentLookups.add(cancel)
    if (this.silentLookups.size <= maxSilentLookups) return
    const [oldest] = this.silentLookups
    this.silentLookups.delete(oldest!)
    oldest!()
  }

  /**
   * Looks up single-label names, to which only the system applies search domains. Each lookup occupies a thread, and
   * libuv runs two at a time. The queue runs one, which leaves a thread for the database and Redis.
   */
  private async queueSystemLookup(name: string): Promise<readonly string[]> {
    let hasEnded = false
    const found = this.lastSystemLookup.then(() => (hasEnded ? [] : this.systemLookup(name)))
    this.lastSystemLookup = found.catch(() => undefined)
    let deadline: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      deadline = setTimeout(() => reject(createDnsError('ETIMEOUT', name)), this.deadlineMs)
    })
    try {
      return await Promise.race([found, late])
    } finally {
      hasEnded = true
      clearTimeout(deadline)
    }
  }
}

async function getAddresses(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address)
}

/** Alternates IPv4 and IPv6 (RFC 8305), because only the first few addresses are tried. */
function interleave(first: readonly string[], second: readonly string[]): string[] {
  const length = Math.max(first.length, second.length)
  return Array.from({ length }, (_, i) => [first[i], second[i]])
    .flat()
    .filter((address) => address !== undefined)
}

export function isNotFound({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ENOTFOUND' || code === 'ENODATA'
}

function createNotFoundError(name: string): Error {
  return createDnsError('ENODATA', name)
}

function createDnsError(code: string, name: string): Error {
  return Object.assign(new Error(`${code} ${name}`), { code })
}
