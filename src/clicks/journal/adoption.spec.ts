import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { transformSync } from '@swc/core'

import { ClickJournal } from './click-journal.js'
import type { JournalOptions } from './click-journal.js'
import type { Click, Visit } from './click.js'
import { adoptFolders } from './folders.js'
import { isOwned, thisProcess } from './owner.js'

const visit: Visit = {
  linkId: '01890a5d-ac96-774b-bcce-b302099a8057',
  workspaceId: '01890a5d-ac96-774b-bcce-b302099a8058',
  slug: 'launch',
  url: 'https://example.com/',
  userAgent: 'Mozilla/5.0',
  referer: '',
  acceptLanguage: 'en',
  address: '192.0.2.7',
  country: '',
}

let root: string
let dataDir: string
let journals: ClickJournal[] = []
let children: ChildProcess[] = []

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'adoption-'))
  compileJournal(join(root, 'program'))
})

beforeEach(() => {
  dataDir = mkdtempSync(join(root, 'data-'))
})

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const journal of journals) await journal.close()
  journals = []
  children = []
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

/** The journal as a program for child processes, with a main file that records clicks and prints what is durable. */
function compileJournal(target: string): void {
  mkdirSync(target)
  for (const name of readdirSync(import.meta.dirname)) {
    if (!name.endsWith('.ts') || name.endsWith('.spec.ts')) continue
    const { code } = transformSync(readFileSync(join(import.meta.dirname, name), 'utf8'), {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
      module: { type: 'es6' },
    })
    writeFileSync(join(target, name.replace(/ts$/, 'js')), code)
  }
  writeFileSync(join(target, 'package.json'), '{"type":"module"}')
  writeFileSync(
    join(target, 'main.js'),
    `import { writeSync } from 'node:fs'
     import { ClickJournal } from './click-journal.js'
     const [, , dataDir, perTurn] = process.argv
     const journal = new ClickJournal({ dataDir, segmentBytes: 20_000 })
     const visit = ${JSON.stringify(visit)}
     writeSync(1, 'ready\\n')
     const print = (holder) => writeSync(1, holder.id + '\\n')
     function turn() {
       for (let i = 0; i < Number(perTurn); i++) {
         const holder = {}
         holder.id = journal.append(visit, print, holder)
       }
       setImmediate(turn)
     }
     if (Number(perTurn) > 0) turn()
     else setInterval(() => {}, 1000)`,
  )
}

interface Writer {
  child: ChildProcess
  acknowledged: string[]
  killed(): Promise<void>
}

async function startWriter(perTurn: number): Promise<Writer> {
  const child = spawn(process.execPath, [join(root, 'program/main.js'), dataDir, String(perTurn)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const lines = createInterface({ input: child.stdout })
  const acknowledged: string[] = []
  // Its output ends a moment before the process does.
  const ended = Promise.all([once(lines, 'close'), once(child, 'exit')])
  const ready = once(lines, 'line')
  lines.on('line', (line) => {
    // The last line may be cut by the kill.
    if (line.length === 36) acknowledged.push(line)
  })
  await ready
  return {
    child,
    acknowledged,
    async killed() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

function open(options: Partial<JournalOptions> = {}): ClickJournal {
  const journal = new ClickJournal({ dataDir, ...options })
  journals.push(journal)
  return journal
}

async function record(journal: ClickJournal): Promise<string> {
  return new Promise((resolve) => {
    const id = journal.append(visit, () => resolve(id), undefined)
  })
}

async function drain(journal: ClickJournal): Promise<Click[]> {
  const clicks: Click[] = []
  for (let batch = await journal.reader.next(500); batch; batch = await journal.reader.next(500)) {
    clicks.push(...batch.clicks)
    await journal.reader.commit(batch.position)
  }
  return clicks
}

const idsOf = (clicks: readonly Click[]): string[] => clicks.map(({ id }) => id)
const folders = (): string[] => readdirSync(join(dataDir, 'clicks')).sort()

async function until(condition: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 10_000; !condition();) {
    if (Date.now() > deadline) throw new Error('it did not happen within 10 s')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe('what a dead process left', () => {
  it('is all there: 20 times killed while writing, every acknowledged click is read exactly once', async () => {
    for (let round = 0; round < 20; round++) {
      const writer = await startWriter(1 + (round % 5) * 20)
      await until(() => writer.acknowledged.length > 50 + round * 40)
      await writer.killed()
      const journal = open()
      const read = idsOf(await drain(journal))
      const readOnce = new Set(read)
      expect(readOnce.size).toBe(read.length)
      expect(writer.acknowledged.filter((id) => !readOnce.has(id))).toEqual([])
      await journal.close()
      expect(folders()).toEqual([])
    }
  }, 60_000)

  it('comes before the clicks of today, and its folder goes', async () => {
    const writer = await startWriter(1)
    await until(() => writer.acknowledged.length > 10)
    await writer.killed()
    const journal = open()
    const today = await record(journal)
    const read = idsOf(await drain(journal))
    expect(read.at(-1)).toBe(today)
    expect(read.length).toBeGreaterThan(10)
    expect(folders()).toHaveLength(1)
    expect(journal.stats()).toMatchObject({ pendingBytes: 0, pendingClicks: 0 })
  })

  it('counts towards the bound and shows in the statistics until it is consumed', async () => {
    const writer = await startWriter(50)
    await until(() => writer.acknowledged.length > 500)
    await writer.killed()
    const journal = open({ maxBytes: 50_000 })
    await journal.reader.next(1)
    expect(journal.stats().pendingBytes).toBeGreaterThan(50_000)
    await record(journal)
    expect(journal.stats().dropped).toBe(1)
    await drain(journal)
    await record(journal)
    expect(journal.stats().dropped).toBe(1)
  })

  it('is found also when the process dies later', async () => {
    let now = Date.now()
    const writer = await startWriter(1)
    const journal = open({ now: () => now })
    await until(() => writer.acknowledged.length > 5)
    expect(await drain(journal)).toEqual([])
    await writer.killed()
    expect(await drain(journal)).toEqual([])
    now += 29_000
    await record(journal)
    now += 2_000
    const read = new Set(idsOf(await drain(journal)))
    expect(writer.acknowledged.every((id) => read.has(id))).toBe(true)
  })

  it('goes to one of two adopters, whole', async () => {
    const ids = new Set<string>()
    for (let i = 0; i < 3; i++) {
      const writer = await startWriter(20)
      await until(() => writer.acknowledged.length > 100)
      await writer.killed()
      for (const id of writer.acknowledged) ids.add(id)
    }
    const [one, other] = await Promise.all([drain(open()), drain(open())])
    const read = [...idsOf(one), ...idsOf(other)]
    expect(new Set(read).size).toBe(read.length)
    expect([...ids].every((id) => read.includes(id))).toBe(true)
  })

  it('can be adopted again when its adopter dies, from where that one stopped', async () => {
    const first = open()
    const ids = [await record(first), await record(first), await record(first)]
    await first.close()

    const adopter = open()
    const batch = await adopter.reader.next(1)
    await adopter.reader.commit(batch!.position)
    await adopter.reader.next(1)
    // As after a kill: the folders stay as they are, the owner is gone.
    const [own] = folders().filter((name) => !name.includes('~'))
    rmSync(join(dataDir, 'clicks', own!, 'owner.json'))
    expect(folders().some((name) => name.includes('~'))).toBe(true)

    expect(idsOf(await drain(open()))).toEqual(ids.slice(1))
  })

  it('is not lost when it was empty or only half made', async () => {
    const clicks = join(dataDir, 'clicks')
    mkdirSync(join(clicks, '01890a5d-ac96-774b-bcce-b302099a8057'), { recursive: true })
    mkdirSync(join(clicks, '.new-01890a5d-ac96-774b-bcce-b302099a8058'))
    utimesSync(join(clicks, '.new-01890a5d-ac96-774b-bcce-b302099a8058'), 1_000, 1_000)
    const journal = open()
    await drain(journal)
    expect(folders()).toHaveLength(1)
  })
})

describe('a living process', () => {
  it('keeps its folder, and several of them do not disturb each other', async () => {
    const writers = [await startWriter(3), await startWriter(3)]
    const journal = open()
    const mine = await record(journal)
    await until(() => writers.every(({ acknowledged }) => acknowledged.length > 100))
    expect(idsOf(await drain(journal))).toEqual([mine])
    expect(folders()).toHaveLength(3)
    expect(folders().every((name) => !name.includes('~'))).toBe(true)
  })

  it('opens a fresh folder when it finds that it slept, and what is in the old one is not lost', async () => {
    let now = Date.now()
    const journal = open({ now: () => now })
    const before = await record(journal)
    const [old] = folders()
    now += 31_000
    const after = await record(journal)
    expect(folders()).toHaveLength(2)
    expect(readFileSync(join(dataDir, 'clicks', old!, '00000001.clicks'), 'utf8')).not.toContain(after)
    expect(idsOf(await drain(journal))).toEqual([before, after])
    expect(folders()).toHaveLength(1)
  })

  it('that slept while its batch was on the way commits without harm', async () => {
    let now = Date.now()
    const journal = open({ now: () => now })
    const before = await record(journal)
    const batch = await journal.reader.next(10)
    now += 31_000
    const after = await record(journal)
    const adopter = open()
    expect(idsOf(await drain(adopter))).toEqual([before])
    await journal.reader.commit(batch!.position)
    expect(idsOf(await drain(journal))).toEqual([after])
  })
})

describe('the owner of a folder', () => {
  const self = thisProcess()
  const now = Date.now()

  function ownerFile(content: string, touchedAgoMs: number): string {
    const path = join(dataDir, 'owner.json')
    writeFileSync(path, content)
    utimesSync(path, (now - touchedAgoMs) / 1000, (now - touchedAgoMs) / 1000)
    return path
  }

  it('lives as long as its process, however long it is silent', () => {
    expect(isOwned(ownerFile(JSON.stringify(self), 600_000), self, now)).toBe(true)
  })

  it('is dead at once when its pid is free, or was given to another process', async () => {
    const writer = await startWriter(0)
    const pid = writer.child.pid!
    await writer.killed()
    await until(() => !isOwned(ownerFile(JSON.stringify({ ...self, pid }), 0), self, now))
    expect(isOwned(ownerFile(JSON.stringify({ ...self, startTime: '1' }), 0), self, now)).toBe(false)
  })

  it.each([
    ['in another container', { pidNamespace: 'pid:[1]' }],
    ['before a reboot', { bootId: 'other' }],
    ['on a system without /proc', { startTime: null, bootId: null, pidNamespace: null }],
  ])('%s is judged by its heartbeat', (_, changes) => {
    const owner = JSON.stringify({ ...self, pid: 1, ...changes })
    expect(isOwned(ownerFile(owner, 59_000), self, now)).toBe(true)
    expect(isOwned(ownerFile(owner, 61_000), self, now)).toBe(false)
  })

  it('that cannot be read is judged by the heartbeat too', () => {
    expect(isOwned(ownerFile('', 10_000), self, now)).toBe(true)
    expect(isOwned(ownerFile('null', 61_000), self, now)).toBe(false)
  })

  it('is one adopter, when many try at once', async () => {
    const clicks = join(dataDir, 'clicks')
    const ids = Array.from({ length: 20 }, (_, i) => `01890a5d-ac96-774b-bcce-b302099a80${10 + i}`)
    for (const id of ids) mkdirSync(join(clicks, id), { recursive: true })
    const adopters = Array.from({ length: 5 }, (_, i) => `11890a5d-ac96-774b-bcce-b302099a800${i}`)
    for (const id of adopters) {
      mkdirSync(join(clicks, id))
      writeFileSync(join(clicks, id, 'owner.json'), JSON.stringify(self))
    }
    const won = await Promise.all(adopters.map((id) => adoptFolders(clicks, id, self, now)))
    expect(won.flat()).toHaveLength(20)
    expect(new Set(won.flat().map((path) => path.slice(-36)))).toEqual(new Set(ids))
  })
})
