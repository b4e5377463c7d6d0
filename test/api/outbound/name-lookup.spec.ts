import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { NameLookup } from '../../../src/platform/outbound/name-lookup.js'
import { SystemNames } from '../../../src/platform/outbound/system-names.js'
import { onRequest, startHostileReceiver } from '../../support/hostile-receivers.js'
import { startNameServer } from '../../support/name-server.js'
import type { NameServer } from '../../support/name-server.js'
import { startClient } from '../../support/outbound-client.js'
import { waitFor } from '../../support/wait-for.js'

const records: Record<
  string,
  Parameters<typeof startNameServer>[0] extends (name: string) => infer R ? R : never
> = {
  'both.example': ['192.0.2.1', '192.0.2.2', '2001:db8::1'],
  'six.example': ['2001:db8::7'],
  'empty.example': [],
  'mixed.example': ['127.0.0.1', '2001:db8::1'],
  'broken.example': 'server_failure',
  'slow.example': 'silent',
}
let server: NameServer
let folder: string
let hostsFile: string
let resolvConf: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'name-lookup-'))
  hostsFile = join(folder, 'hosts')
  resolvConf = join(folder, 'resolv.conf')
  server = await startNameServer((name) => {
    if (name.endsWith('.dead.example')) return 'silent'
    if (name.endsWith('.alive.example')) return ['127.0.0.1']
    return records[name] ?? 'not_found'
  })
})

afterAll(async () => {
  server.stop()
  await rm(folder, { recursive: true })
})

function startLookup(options: Partial<ConstructorParameters<typeof NameLookup>[0]> = {}): NameLookup {
  const system = new SystemNames(hostsFile, resolvConf)
  return new NameLookup({ servers: [server.address], system, ...options })
}

function queriesFor(name: string): number {
  return server.queries.filter((each) => each === name).length
}

describe('the lookup of a name', () => {
  it('returns alternating IPv4 and IPv6 addresses', async () => {
    const addresses = await startLookup().findAddresses('Both.example.')
    expect(addresses).toEqual(['192.0.2.1', '2001:db8::1', '192.0.2.2'])
    expect(await startLookup().findAddresses('six.example')).toEqual(['2001:db8::7'])
  })

  it.each([
    ['missing.example', 'The name missing.example does not exist.'],
    ['empty.example', 'The name empty.example does not exist.'],
    ['broken.example', 'The name broken.example could not be looked up.'],
  ])('of %s fails with a reason', async (name, message) => {
    const lookup = startLookup()
    const client = startClient({ lookUp: (host) => lookup.findAddresses(host) })
    expect((await client.send(`http://${name}/`)).error).toEqual({ class: 'dns', message, phase: 'dns' })
  })

  it('checks every IPv4 and IPv6 address', async () => {
    const lookup = startLookup()
    const client = startClient({ lookUp: (host) => lookup.findAddresses(host) })
    const { error } = await client.send('http://mixed.example/')
    expect(error?.class).toBe('blocked_address')
  })

  it('reads the hosts file first, and again after a change', async () => {
    await writeFile(hostsFile, '# names\n192.0.2.8\tOne.example  two # three\n2001:db8::8 one.example\n')
    const lookup = startLookup()
    expect(await lookup.findAddresses('one.example')).toEqual(['192.0.2.8', '2001:db8::8'])
    expect(await lookup.findAddresses('two')).toEqual(['192.0.2.8'])
    await writeFile(hostsFile, '192.0.2.9 one.example\n')
    expect(await lookup.findAddresses('one.example')).toEqual(['192.0.2.9'])
    expect(queriesFor('one.example')).toBe(0)
  })

  it('caches a failure briefly', async () => {
    const lookup = startLookup()
    for (let i = 0; i < 3; i++)
      await expect(lookup.findAddresses('gone.example')).rejects.toThrow('ENOTFOUND')
    expect(queriesFor('gone.example')).toBe(2)
  })

  it('tries the search domains when a short name does not exist', async () => {
    await writeFile(
      resolvConf,
      'nameserver 192.0.2.1\nsearch nowhere.example alive.example\noptions ndots:3\n',
    )
    const lookup = startLookup()
    expect(await lookup.findAddresses('hooks.team')).toEqual(['127.0.0.1'])
    await expect(lookup.findAddresses('hooks.of.another.team')).rejects.toThrow('ENOTFOUND')
  })

  it('reports a silent name server of a search domain', async () => {
    await writeFile(resolvConf, 'search dead.example nowhere.example\noptions ndots:3\n')
    const lookup = startLookup({ deadlineMs: 500 })
    const client = startClient({ lookUp: (host) => lookup.findAddresses(host) })
    for (let i = 0; i < 2; i++)
      expect((await client.send('http://late.team/')).error).toEqual({
        class: 'dns',
        message: 'The name late.team could not be looked up: its DNS server did not respond.',
        phase: 'dns',
      })
  })

  it('fails after its deadline when the name server is silent', async () => {
    const lookup = startLookup({ deadlineMs: 2_000 })
    const client = startClient({ lookUp: (host) => lookup.findAddresses(host) })
    const { error, timings } = await client.send('http://slow.example/')
    expect(error).toEqual({
      class: 'dns',
      message: 'The name slow.example could not be looked up: its DNS server did not respond.',
      phase: 'dns',
    })
    expect(timings.dnsMs).toBeGreaterThan(1_900)
    expect(timings.dnsMs).toBeLessThan(4_000)
  })
})

describe('names behind a silent name server', () => {
  const deadNames = (count: number) => Array.from({ length: count }, (_, i) => `name-${i}.dead.example`)

  it('do not delay other names', async () => {
    const receiver = await startHostileReceiver(
      onRequest((socket) => socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')),
    )
    const lookup = startLookup({ deadlineMs: 3_000 })
    const client = startClient({ lookUp: (host) => lookup.findAddresses(host) })
    const measureP99 = async () => {
      const durations: number[] = []
      for (let i = 0; i < 200; i++) {
        const { error, timings } = await client.send(`http://hook-${i}.alive.example:${receiver.port}/`)
        expect(error).toBeNull()
        durations.push(timings.totalMs)
      }
      return durations.sort((a, b) => a - b)[197]!
    }
    const alone = await measureP99()
    const dead = deadNames(60).map((name) => client.send(`http://${name}/`))
    const withDeadNames = await measureP99()
    client.stop()
    await receiver.stop()
    // The minimum of 500 ms is for a busy machine. A blocked lookup takes seconds.
    expect(withDeadNames).toBeLessThan(Math.max(2 * alone, 500))
    const outcomes = await Promise.all(dead)
    expect(outcomes.every(({ error }) => error?.class === 'dns')).toBe(true)
  })

  it('hold at most 50 lookups after the first second', async () => {
    const lookup = startLookup()
    let ended = 0
    const count = () => (ended += 1)
    const lookups = deadNames(60).map((name) => lookup.findAddresses(name).catch(count))
    await waitFor('the oldest 10 lookups to end', () => ended === 10)
    await Promise.all(lookups)
    expect(ended).toBe(60)
  })
})

describe('a single-label name', () => {
  it('is looked up by the system, one name at a time', async () => {
    let [running, maxRunning] = [0, 0]
    const systemLookup = async (name: string) => {
      maxRunning = Math.max(maxRunning, (running += 1))
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      return [`192.0.2.${name.length}`]
    }
    const lookup = startLookup({ systemLookup })
    const found = await Promise.all(['a', 'bb', 'ccc'].map((name) => lookup.findAddresses(name)))
    expect(found).toEqual([['192.0.2.1'], ['192.0.2.2'], ['192.0.2.3']])
    expect(maxRunning).toBe(1)
  })

  it('waits until its deadline without delaying other names', async () => {
    const lookups: string[] = []
    const systemLookup = (name: string) => {
      lookups.push(name)
      return new Promise<string[]>(() => undefined)
    }
    const lookup = startLookup({ systemLookup, deadlineMs: 1_000 })
    const waiting = ['first', 'second'].map((name) =>
      expect(lookup.findAddresses(name)).rejects.toThrow('ETIMEOUT'),
    )
    expect(await lookup.findAddresses('a.alive.example')).toEqual(['127.0.0.1'])
    await Promise.all(waiting)
    // Only one system lookup runs at a time, and either name may be first.
    expect(lookups).toHaveLength(1)
  })
})
