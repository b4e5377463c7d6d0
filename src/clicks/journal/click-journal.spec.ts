import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'

import {
  Journals,
  commitSegments,
  drainJournal,
  getClickIds,
  createQueue,
  readSegments,
  recordClicks,
  recordOne,
  takeSegments,
  visit,
} from '../../../test/support/journals.js'
import { waitFor } from '../../../test/support/wait-for.js'
import { writeBytes } from './segments.js'

let journals: Journals
beforeEach(() => {
  journals = new Journals()
})
afterEach(() => journals.stop())

describe('a group', () => {
  it('runs callbacks only after its clicks are in the file, and never within append', async () => {
    const journal = journals.open()
    let seen: string | null = null
    const id = journal.appendClick(
      visit,
      () => (seen = readFileSync(join(journals.onlyFolder(), journals.segments()[0]!), 'utf8')),
      undefined,
    )
    expect(seen).toBeNull()
    await turn()
    expect(seen).toContain(id)
  })

  it('is written with one write and runs its callbacks in order', async () => {
    const writes: number[] = []
    const journal = journals.open({
      write: (fd, bytes) => (writes.push(bytes.length), writeBytes(fd, bytes)),
    })
    const order: number[] = []
    for (let i = 0; i < 100; i++) journal.appendClick(visit, (n) => order.push(n), i)
    await turn()
    expect(writes).toHaveLength(1)
    expect(order).toEqual(Array.from({ length: 100 }, (_, i) => i))
  })

  it('runs all callbacks even if one throws', async () => {
    const faults: string[] = []
    const journal = journals.open({ onFault: (error) => faults.push(error.message) })
    let called = 0
    const broken = (): void => {
      throw new Error('broken')
    }
    journal.appendClick(visit, broken, undefined)
    journal.appendClick(visit, () => called++, undefined)
    await turn()
    expect(called).toBe(1)
    expect(faults).toEqual(['broken'])
  })
})

describe('a segment', () => {
  it('can be read after `segmentMs`, without another click', async () => {
    const journal = journals.open({ segmentMs: 20 })
    const ids = await recordClicks(journal, 3)
    expect(journal.segments).toEqual([])
    await waitFor('the segment to be closed', () => journal.segments.length === 1)
    expect(getClickIds(await readSegments(journal.segments))).toEqual(ids)
  })

  it('is closed when it is full, and removed once its clicks are in the database', async () => {
    const journal = journals.open({ segmentBytes: 2_000 })
    const ids: string[] = []
    for (let i = 0; i < 40; i++) ids.push(await recordOne(journal))
    const before = journals.segments()
    expect(before.length).toBeGreaterThan(3)
    const segments = await takeSegments(journal, 4_500)
    expect(segments).toHaveLength(2)
    expect(journals.segments()).toEqual(before)
    const clicks = await readSegments(segments)
    await commitSegments(journal, segments)
    expect(journals.segments()).toEqual(before.slice(2))
    expect(getClickIds([...clicks, ...(await drainJournal(journal))])).toEqual(ids)
    expect(journals.segments()).toEqual([])
    expect(journal.getStats()).toMatchObject({ pendingBytes: 0, pendingClicks: 0, oldestPendingMs: 0 })
  })

  it('is returned alone if it is larger than a batch', async () => {
    const journal = journals.open({ segmentBytes: 2_000 })
    await recordClicks(journal, 100)
    await recordClicks(journal, 100)
    expect(await takeSegments(journal, 10)).toHaveLength(1)
  })

  it('is read again if the reading thread dies before it is removed', async () => {
    const journal = journals.open({ segmentBytes: 2_000 })
    const ids: string[] = []
    for (let i = 0; i < 30; i++) ids.push(await recordOne(journal))
    const [first, second] = await takeSegments(journal)
    await commitSegments(journal, [first!])
    // Simulates a thread that dies after it removed the file and before it reported the removal.
    await createQueue(journal).removeSegments([second!])
    const remaining = await drainJournal(journal)
    createQueue(journal)
    expect(ids.slice(-remaining.length)).toEqual(getClickIds(remaining))
    expect(await drainJournal(journal)).toEqual([])
    expect(journal.getStats()).toMatchObject({ pendingBytes: 0, pendingClicks: 0 })
  })
})

it('reports the number, size and age of pending clicks', async () => {
  let now = 1_763_712_000_000
  const journal = journals.open({ now: () => now })
  await recordClicks(journal, 4)
  now += 5_000
  expect(journal.getStats()).toMatchObject({ pendingClicks: 4, oldestPendingMs: 5_000 })
  expect(journal.getStats().pendingBytes).toBeGreaterThan(400)
  await takeSegments(journal)
  await recordClicks(journal, 1)
  expect(journal.getStats()).toMatchObject({ pendingClicks: 5, oldestPendingMs: 5_000 })
})

it('reports no age if no click is pending', () => {
  let now = 1_763_712_000_000
  const journal = journals.open({ now: () => now++ })
  expect(journal.getStats()).toMatchObject({ pendingClicks: 0, oldestPendingMs: 0 })
})

it('removes its folder on shutdown if all clicks are in the database', async () => {
  const journal = journals.open()
  await recordClicks(journal, 2)
  await drainJournal(journal)
  await journal.close()
  expect(readdirSync(join(journals.dataDir, 'clicks'))).toEqual([])
})
