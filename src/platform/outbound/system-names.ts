/** Reads the names in `/etc/hosts` and the search list of `/etc/resolv.conf`. */
import { readFile, stat } from 'node:fs/promises'

/** A parsed file, which is read again when it has changed. A missing file is treated as empty. */
class WatchedFile<T> {
  private changedAt: number | null = null
  private parsed: T

  constructor(
    private readonly path: string,
    private readonly parse: (text: string) => T,
  ) {
    this.parsed = parse('')
  }

  async readFile(): Promise<T> {
    const changedAt = await stat(this.path).then(
      ({ mtimeMs }) => mtimeMs,
      () => null,
    )
    if (changedAt !== this.changedAt) {
      this.parsed = this.parse(await readFile(this.path, 'utf8').catch(() => ''))
      this.changedAt = changedAt
    }
    return this.parsed
  }
}

export class SystemNames {
  private readonly hosts: WatchedFile<Map<string, string[]>>
  private readonly search: WatchedFile<SearchList>

  constructor(hostsFile = '/etc/hosts', resolvConf = '/etc/resolv.conf') {
    this.hosts = new WatchedFile(hostsFile, parseHosts)
    this.search = new WatchedFile(resolvConf, parseSearchList)
  }

  async findInHosts(name: string): Promise<readonly string[] | undefined> {
    return (await this.hosts.readFile()).get(name)
  }

  /** Returns the names to try if `name` does not exist, such as `hooks.team.svc.cluster.local` for `hooks.team`. */
  async getSearchNames(name: string): Promise<string[]> {
    const { domains, minDots } = await this.search.readFile()
    const dots = name.split('.').length - 1
    return dots < minDots ? domains.map((domain) => `${name}.${domain}`) : []
  }
}

/** Each line is an address and its names; `#` starts a comment. */
function parseHosts(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    for (const name of names.map((each) => each.toLowerCase()))
      found.set(name, [...(found.get(name) ?? []), address!])
  }
  return found
}

interface SearchList {
  domains: string[]
  /** Names with fewer dots are also tried below each domain (`ndots`). */
  minDots: number
}

/** The last `search` line counts (resolv.conf(5)). */
function parseSearchList(text: string): SearchList {
  const domains = [...text.matchAll(/^(?:search|domain)[ \t]+(.+)$/gm)].at(-1)?.[1] ?? ''
  const minDots = /^options[ \t].*\bndots:(\d+)/m.exec(text)?.[1] ?? 1
  return { domains: domains.split(/\s+/).filter(Boolean), minDots: Number(minDots) }
}
