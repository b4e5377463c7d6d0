/** Several processes share one folder: the clicks of dead ones are adopted, and living ones do not meet. */
import { mkdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

import { Journals, drain, idsOf, newReaderOf, readerOf, recordOne } from '../../../test/support/journals.js'

let journals: Journals
beforeEach(() => {
  journals = new Journals()
})
afterEach(() => journals.stop())

describe('what a dead process left', () => {
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
