/** Several processes share one folder: the clicks of dead ones are adopted, and living ones do not meet. */
import { mkdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

import { ClickWriters } from '../../../test/support/click-writer.js'
import { Journals, drain, idsOf, newReaderOf, readerOf, recordOne } from '../../../test/support/journals.js'
import { waitFor } from '../../../test/support/wait-for.js'

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

describe('what a dead process left', () => {
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

  it('can be adopted again when its adopter dies, from where that one stopped', async () => {
    const first = journals.open()
    const ids = [await recordOne(first), await recordOne(first), await recordOne(first)]
    await first.close()

    const adopter = journals.open()
    const batch = await readerOf(adopter).next(1)
    await batch!.commit()
    await readerOf(adopter).next(1)
    // As after a kill, the folders stay as they are and the owner is gone.
    const [own] = journals.folders().filter((name) => !name.includes('~'))
    rmSync(join(journals.dataDir, 'clicks', own!, 'owner.json'))
    expect(journals.folders().some((name) => name.includes('~'))).toBe(true)

    expect(idsOf(await drain(journals.open()))).toEqual(ids.slice(1))
  })

  it('is read on by the next reader when its reader dies', async () => {
    const first = journals.open()
    const ids = [await recordOne(first), await recordOne(first), await recordOne(first)]
    await first.close()
    const adopter = journals.open()
    const batch = await readerOf(adopter).next(1)
    await batch!.commit()
    await readerOf(adopter).next(1)
    newReaderOf(adopter)
    expect(idsOf(await drain(adopter))).toEqual(ids.slice(1))
    expect(adopter.stats()).toMatchObject({ pendingBytes: 0, pendingClicks: 0 })
    expect(journals.folders()).toHaveLength(1)
  })

  it('is not lost when it was empty or only half made', async () => {
    const clicks = join(journals.dataDir, 'clicks')
    mkdirSync(join(clicks, '01890a5d-ac96-774b-bcce-b302099a8057'), { recursive: true })
    mkdirSync(join(clicks, '.new-01890a5d-ac96-774b-bcce-b302099a8058'))
    utimesSync(join(clicks, '.new-01890a5d-ac96-774b-bcce-b302099a8058'), 1_000, 1_000)
    const journal = journals.open()
    await drain(journal)
    expect(journals.folders()).toHaveLength(1)
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

  it('opens a fresh folder when it finds that it slept, and what is in the old one is not lost', async () => {
    let now = Date.now()
    const journal = journals.open({ now: () => now })
    const before = await recordOne(journal)
    const [old] = journals.folders()
    now += 31_000
    const after = await recordOne(journal)
    expect(journals.folders()).toHaveLength(2)
    expect(readFileSync(join(journals.dataDir, 'clicks', old!, '00000001.clicks'), 'utf8')).not.toContain(
      after,
    )
    expect(idsOf(await drain(journal))).toEqual([before, after])
    expect(journals.folders()).toHaveLength(1)
  })

  it('that slept while its batch was on the way commits without harm', async () => {
    let now = Date.now()
    const journal = journals.open({ now: () => now })
    const before = await recordOne(journal)
    const batch = await readerOf(journal).next(10)
    now += 31_000
    const after = await recordOne(journal)
    const adopter = journals.open()
    expect(idsOf(await drain(adopter))).toEqual([before])
    await batch!.commit()
    expect(idsOf(await drain(journal))).toEqual([after])
  })
})
