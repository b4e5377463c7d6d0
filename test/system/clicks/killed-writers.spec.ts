/** Every acknowledged click of killed and frozen writers is read exactly once. */
import { readFileSync } from 'node:fs'

import { ClickWriters } from '../../support/click-writer.js'
import { Journals, drainJournal, getClickIds, recordOne, takeSegments } from '../../support/journals.js'
import { waitFor } from '../../support/wait-for.js'

const writers = new ClickWriters()
let journals: Journals
beforeEach(() => {
  journals = new Journals()
})
afterEach(async () => {
  await writers.killAll()
  await journals.stop()
})
afterAll(() => writers.remove())

describe('the journal of a killed process', () => {
  it('has every acknowledged click exactly once after each of 20 kills', async () => {
    for (let round = 0; round < 20; round++) {
      const writer = await writers.start(journals.dataDir, 1 + (round % 5) * 20)
      await waitFor('clicks to be durable', () => writer.acknowledged.length > 50 + round * 40)
      await writer.kill()
      const journal = journals.open()
      const read = getClickIds(await drainJournal(journal))
      const readOnce = new Set(read)
      expect(readOnce.size).toBe(read.length)
      expect(writer.acknowledged.filter((id) => !readOnce.has(id))).toEqual([])
      await journal.close()
      expect(journals.folders()).toEqual([])
    }
  }, 180_000)

  it('is read before newer clicks, and then its folder is removed', async () => {
    const writer = await writers.start(journals.dataDir, 1)
    await waitFor('clicks to be durable', () => writer.acknowledged.length > 10)
    await writer.kill()
    const journal = journals.open()
    const today = await recordOne(journal)
    const read = getClickIds(await drainJournal(journal))
    expect(read.at(-1)).toBe(today)
    expect(read.length).toBeGreaterThan(10)
    expect(journals.folders()).toHaveLength(1)
    expect(journal.getStats()).toMatchObject({ pendingBytes: 0, pendingClicks: 0 })
  })

  it('counts towards the limit and the statistics until it is in the database', async () => {
    const writer = await writers.start(journals.dataDir, 50)
    await waitFor('clicks to be durable', () => writer.acknowledged.length > 500)
    await writer.kill()
    const journal = journals.open({ maxBytes: 50_000 })
    await takeSegments(journal, 1)
    expect(journal.getStats().pendingBytes).toBeGreaterThan(50_000)
    await recordOne(journal)
    expect(journal.getStats().dropped).toBe(1)
    await drainJournal(journal)
    await recordOne(journal)
    expect(journal.getStats().dropped).toBe(1)
  })

  it('is adopted when the process dies after the first check', async () => {
    let now = Date.now()
    const writer = await writers.start(journals.dataDir, 1)
    const journal = journals.open({ now: () => now })
    await waitFor('clicks to be durable', () => writer.acknowledged.length > 5)
    expect(await drainJournal(journal)).toEqual([])
    await writer.kill()
    expect(await drainJournal(journal)).toEqual([])
    now += 29_000
    await recordOne(journal)
    now += 2_000
    const read = new Set(getClickIds(await drainJournal(journal)))
    expect(writer.acknowledged.every((id) => read.has(id))).toBe(true)
  })

  it('is adopted completely by one of two processes', async () => {
    const ids = new Set<string>()
    for (let i = 0; i < 3; i++) {
      const writer = await writers.start(journals.dataDir, 20)
      await waitFor('clicks to be durable', () => writer.acknowledged.length > 100)
      await writer.kill()
      for (const id of writer.acknowledged) ids.add(id)
    }
    const [one, other] = await Promise.all([drainJournal(journals.open()), drainJournal(journals.open())])
    const read = [...getClickIds(one), ...getClickIds(other)]
    expect(new Set(read).size).toBe(read.length)
    expect([...ids].every((id) => read.includes(id))).toBe(true)
  })
})

describe('a running process', () => {
  it('keeps its own folder when other processes share the data folder', async () => {
    const running = [await writers.start(journals.dataDir, 3), await writers.start(journals.dataDir, 3)]
    const journal = journals.open()
    const ownClick = await recordOne(journal)
    await waitFor('clicks to be durable', () =>
      running.every(({ acknowledged }) => acknowledged.length > 100),
    )
    expect(getClickIds(await drainJournal(journal))).toEqual([ownClick])
    expect(journals.folders()).toHaveLength(3)
    expect(journals.folders().every((name) => !name.includes('~'))).toBe(true)
  })
})

describe('a frozen process', () => {
  it('acknowledges no click in an adopted folder', async () => {
    const writer = await writers.start(journals.dataDir, 20, { asleepAfterMs: 300 })
    const read = new Set<string>()
    for (let round = 0; round < 8; round++) {
      const before = writer.acknowledged.length
      await waitFor('clicks to be durable', () => writer.acknowledged.length > before + 100)
      process.kill(writer.pid, 'SIGSTOP')
      await waitFor('the process to be stopped', () => getProcessState(writer.pid) === 'T')
      const stoppedAt = performance.now()
      // Simulates a container that shares the volume and sees only the heartbeat.
      const folder = journals.folders().find((name) => journals.isOwnedBy(name, writer.pid))!
      journals.changeOwner(folder, { pidNamespace: 'pid:[1]' }, 61_000)
      const adopter = journals.open()
      for (const id of getClickIds(await drainJournal(adopter))) read.add(id)
      expect(journals.folders()).not.toContain(folder)
      await waitFor('a long freeze', () => performance.now() - stoppedAt > 350)
      process.kill(writer.pid, 'SIGCONT')
      const frozenAt = writer.acknowledged.length
      await waitFor('clicks after the freeze', () => writer.acknowledged.length > frozenAt + 100)
      await adopter.close()
    }
    await writer.kill()
    for (const id of getClickIds(await drainJournal(journals.open()))) read.add(id)
    expect(writer.acknowledged.filter((id) => !read.has(id))).toEqual([])
  }, 180_000)
})

function getProcessState(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[0]
}
