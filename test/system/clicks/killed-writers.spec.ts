/** Processes that write clicks into one folder are killed: their clicks are adopted, and living ones are left alone. */
import { ClickWriters } from '../../support/click-writer.js'
import { Journals, drain, idsOf, readerOf, recordOne } from '../../support/journals.js'
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

describe('what a killed process left', () => {
  it('is all there: 20 times killed while writing, every acknowledged click is read exactly once', async () => {
    for (let round = 0; round < 20; round++) {
      const writer = await writers.start(journals.dataDir, 1 + (round % 5) * 20)
      await waitFor('clicks to be durable', () => writer.acknowledged.length > 50 + round * 40)
      await writer.kill()
      const journal = journals.open()
      const read = idsOf(await drain(journal))
      const readOnce = new Set(read)
      expect(readOnce.size).toBe(read.length)
      expect(writer.acknowledged.filter((id) => !readOnce.has(id))).toEqual([])
      await journal.close()
      expect(journals.folders()).toEqual([])
    }
  }, 60_000)

  it('comes before the clicks of today, and its folder goes', async () => {
    const writer = await writers.start(journals.dataDir, 1)
    await waitFor('clicks to be durable', () => writer.acknowledged.length > 10)
    await writer.kill()
    const journal = journals.open()
    const today = await recordOne(journal)
    const read = idsOf(await drain(journal))
    expect(read.at(-1)).toBe(today)
    expect(read.length).toBeGreaterThan(10)
    expect(journals.folders()).toHaveLength(1)
    expect(journal.stats()).toMatchObject({ pendingBytes: 0, pendingClicks: 0 })
  })

  it('counts towards the bound and shows in the statistics until it is consumed', async () => {
    const writer = await writers.start(journals.dataDir, 50)
    await waitFor('clicks to be durable', () => writer.acknowledged.length > 500)
    await writer.kill()
    const journal = journals.open({ maxBytes: 50_000 })
    await readerOf(journal).next(1)
    expect(journal.stats().pendingBytes).toBeGreaterThan(50_000)
    await recordOne(journal)
    expect(journal.stats().dropped).toBe(1)
    await drain(journal)
    await recordOne(journal)
    expect(journal.stats().dropped).toBe(1)
  })

  it('is found also when the process dies later', async () => {
    let now = Date.now()
    const writer = await writers.start(journals.dataDir, 1)
    const journal = journals.open({ now: () => now })
    await waitFor('clicks to be durable', () => writer.acknowledged.length > 5)
    expect(await drain(journal)).toEqual([])
    await writer.kill()
    expect(await drain(journal)).toEqual([])
    now += 29_000
    await recordOne(journal)
    now += 2_000
    const read = new Set(idsOf(await drain(journal)))
    expect(writer.acknowledged.every((id) => read.has(id))).toBe(true)
  })

  it('goes to one of two adopters, whole', async () => {
    const ids = new Set<string>()
    for (let i = 0; i < 3; i++) {
      const writer = await writers.start(journals.dataDir, 20)
      await waitFor('clicks to be durable', () => writer.acknowledged.length > 100)
      await writer.kill()
      for (const id of writer.acknowledged) ids.add(id)
    }
    const [one, other] = await Promise.all([drain(journals.open()), drain(journals.open())])
    const read = [...idsOf(one), ...idsOf(other)]
    expect(new Set(read).size).toBe(read.length)
    expect([...ids].every((id) => read.includes(id))).toBe(true)
  })
})

describe('a living process', () => {
  it('keeps its folder, and several of them do not disturb each other', async () => {
    const living = [await writers.start(journals.dataDir, 3), await writers.start(journals.dataDir, 3)]
    const journal = journals.open()
    const mine = await recordOne(journal)
    await waitFor('clicks to be durable', () => living.every(({ acknowledged }) => acknowledged.length > 100))
    expect(idsOf(await drain(journal))).toEqual([mine])
    expect(journals.folders()).toHaveLength(3)
    expect(journals.folders().every((name) => !name.includes('~'))).toBe(true)
  })
})
