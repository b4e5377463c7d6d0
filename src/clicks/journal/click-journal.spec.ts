import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'

import {
  Journals,
  drain,
  idsOf,
  newReaderOf,
  readerOf,
  record,
  visit,
} from '../../../test/support/journals.js'
import type { ClickJournal } from './click-journal.js'
import { writeBytes } from './segments.js'

let journals: Journals
beforeEach(() => {
  journals = new Journals()
})
afterEach(() => journals.stop())

async function recordOneByOne(journal: ClickJournal, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push(...(await record(journal, 1)))
  return ids
}

describe('the click journal', () => {
  it('lets an answer go only when its click can be read from the file, and never within append', async () => {
    const journal = journals.open()
    let seen: string | null = null
    const id = journal.append(
      visit,
      () => (seen = readFileSync(join(journals.onlyFolder(), journals.segments()[0]!), 'utf8')),
      undefined,
    )
    expect(seen).toBeNull()
    await turn()
    expect(seen).toContain(id)
  })

  it('commits a turn with one write and lets the answers go in order', async () => {
    const writes: number[] = []
    const journal = journals.open({
      write: (fd, bytes) => (writes.push(bytes.length), writeBytes(fd, bytes)),
    })
    const order: number[] = []
    for (let i = 0; i < 100; i++) journal.append(visit, (n) => order.push(n), i)
    await turn()
    await turn()
    expect(writes).toHaveLength(1)
    expect(order).toEqual(Array.from({ length: 100 }, (_, i) => i))
  })

  it('gives clicks to the reader while the segment is still being written', async () => {
    const journal = journals.open()
    const first = await record(journal, 3)
    expect(idsOf(await drain(journal))).toEqual(first)
    const second = await record(journal, 3)
    expect(idsOf(await drain(journal))).toEqual(second)
    expect(await readerOf(journal).next(10)).toBeNull()
  })

  it('tells whoever listens once in a turn that something was written', async () => {
    const journal = journals.open()
    let told = 0
    journal.listen({ onWritten: () => told++, onRenewed: () => undefined })
    await record(journal, 5)
    await turn()
    expect(told).toBe(1)
  })

  it('is read ahead of what is committed, and again from there after a rewind', async () => {
    const journal = journals.open({ segmentBytes: 2_000 })
    const ids = await recordOneByOne(journal, 30)
    const reader = readerOf(journal)
    const [first, second] = [await reader.next(4), await reader.next(20)]
    expect(idsOf([...first!.clicks, ...second!.clicks])).toEqual(ids.slice(0, 24))
    await first!.commit()
    await reader.rewind()
    const again = await reader.next(100)
    expect(idsOf(again!.clicks)).toEqual(ids.slice(4))
    expect(journal.stats().pendingClicks).toBe(26)
    await again!.commit()
    expect(await reader.next(100)).toBeNull()
    expect(journal.stats()).toMatchObject({ pendingBytes: 0, pendingClicks: 0 })
  })

  it('gives out fewer clicks at a time where they are long, and says that there are more', async () => {
    const journal = journals.open()
    const long = { ...visit, url: `https://target.example/${'x'.repeat(16_000)}` }
    const count = 1_000
    for (let i = 0; i < count; i++) journal.append(long, () => undefined, undefined)
    await record(journal, 1)
    const reader = readerOf(journal)
    const [first, second] = [await reader.next(20_000), await reader.next(20_000)]
    expect(first).toMatchObject({ isFull: true })
    expect(first!.clicks.length).toBeLessThan(600)
    expect(second).toMatchObject({ isFull: false })
    expect(first!.clicks.length + second!.clicks.length).toBe(count + 1)
    expect(await reader.next(20_000)).toBeNull()
  })

  it('goes on where it was committed when its reader dies, and still says what is pending', async () => {
    const journal = journals.open({ segmentBytes: 2_000 })
    const ids = await recordOneByOne(journal, 30)
    const batch = await readerOf(journal).next(20)
    await batch!.commit()
    await readerOf(journal).next(5)
    newReaderOf(journal)
    expect(journal.stats()).toMatchObject({ pendingClicks: 10 })
    expect(idsOf(await drain(journal))).toEqual(ids.slice(20))
    expect(journal.stats()).toMatchObject({ pendingBytes: 0, pendingClicks: 0, oldestPendingMs: 0 })
    expect(journals.segments()).toHaveLength(1)
  })

  it('says which clicks may have been given out before', async () => {
    const journal = journals.open()
    await record(journal, 2)
    const reader = readerOf(journal)
    expect(await reader.next(100)).toMatchObject({ mayRepeat: true })
    await record(journal, 2)
    expect(await reader.next(1)).toMatchObject({ mayRepeat: false })
    await reader.rewind()
    await record(journal, 2)
    expect(await reader.next(2)).toMatchObject({ mayRepeat: true })
    expect(await reader.next(2)).toMatchObject({ mayRepeat: true })
    expect(await reader.next(2)).toMatchObject({ mayRepeat: false })
    const next = newReaderOf(journal)
    expect(await next.next(100)).toMatchObject({ mayRepeat: true })
    await record(journal, 2)
    expect(await next.next(100)).toMatchObject({ mayRepeat: false })
  })

  it('starts a new segment when one is full, and removes only what is consumed', async () => {
    const journal = journals.open({ segmentBytes: 2_000 })
    const ids = await recordOneByOne(journal, 40)
    const before = journals.segments()
    expect(before.length).toBeGreaterThan(3)
    const batch = await readerOf(journal).next(20)
    expect(journals.segments()).toEqual(before)
    const last = batch!.clicks.at(-1)!.id
    const lastIn = before.filter((name) =>
      readFileSync(join(journals.onlyFolder(), name), 'utf8').includes(last),
    )
    await batch!.commit()
    expect(journals.segments()[0]).toBe(lastIn[0])
    expect(idsOf([...batch!.clicks, ...(await drain(journal))])).toEqual(ids)
    expect(journals.segments()).toHaveLength(1)
    expect(journal.stats()).toMatchObject({ pendingBytes: 0, pendingClicks: 0, oldestPendingMs: 0 })
  })

  it('removes a consumed segment after a minute although it is not full', async () => {
    let now = Date.now()
    const journal = journals.open({ now: () => now })
    await record(journal, 3)
    await drain(journal)
    expect(journals.segments()).toEqual(['00000001.clicks'])
    for (let i = 0; i < 4; i++) {
      now += 20_000
      journal.beat()
    }
    await drain(journal)
    expect(journals.segments()).toEqual([])
    const ids = await record(journal, 2)
    expect(idsOf(await drain(journal))).toEqual(ids)
  })

  it('says what is pending and since when', async () => {
    let now = 1_763_712_000_000
    const journal = journals.open({ now: () => now })
    await record(journal, 4)
    now += 5_000
    expect(journal.stats()).toMatchObject({ pendingClicks: 4, oldestPendingMs: 5_000 })
    expect(journal.stats().pendingBytes).toBeGreaterThan(400)
    const batch = await readerOf(journal).next(3)
    await batch!.commit()
    expect(journal.stats().pendingClicks).toBe(1)
  })

  it('removes its folder at a clean end when all was consumed', async () => {
    const journal = journals.open()
    await record(journal, 2)
    await drain(journal)
    await journal.close()
    expect(readdirSync(join(journals.dataDir, 'clicks'))).toEqual([])
  })

  it('reads many segments in batches, to the last click', async () => {
    const journal = journals.open()
    for (let i = 0; i < 50; i++) await record(journal, 1_000)
    expect(await drain(journal, 2_000)).toHaveLength(50_000)
  })
})
