/** Several processes share one data folder: living processes adopt the clicks of dead ones. */
import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

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
} from '../../../test/support/journals.js'
import { writeBytes } from './segments.js'

const foreign = '01890a5d-ac96-774b-bcce-b302099a8059'

let journals: Journals
beforeEach(() => {
  journals = new Journals()
})
afterEach(() => journals.stop())

/** Records each click in its own segment, in the folder of a process that then ends. */
async function orphanedClicks(count: number): Promise<string[]> {
  const journal = journals.open({ segmentBytes: 1 })
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push(await recordOne(journal))
  await journal.close()
  return ids
}

describe('the journal of a dead process', () => {
  it('is adopted again when its adopter dies, without the segments already in the database', async () => {
    const ids = await orphanedClicks(3)
    const adopter = journals.open()
    await commitSegments(adopter, await takeSegments(adopter, 1))
    const [own] = journals.folders().filter((name) => !name.includes('~'))
    rmSync(join(journals.dataDir, 'clicks', own!, 'owner.json'))
    expect(journals.folders().some((name) => name.includes('~'))).toBe(true)

    expect(getClickIds(await drainJournal(journals.open()))).toEqual(ids.slice(1))
  })

  it('is still read after the reading thread was restarted', async () => {
    const ids = await orphanedClicks(3)
    const adopter = journals.open()
    await commitSegments(adopter, await takeSegments(adopter, 1))
    createQueue(adopter)
    expect(getClickIds(await drainJournal(adopter))).toEqual(ids.slice(1))
    expect(adopter.getStats()).toMatchObject({ pendingBytes: 0, pendingClicks: 0 })
    expect(journals.folders()).toHaveLength(1)
  })

  it('is adopted at the next scan after the clock was set back', async () => {
    let now = Date.now()
    const adopter = journals.open({ now: () => now })
    expect(await takeSegments(adopter)).toEqual([])
    const ids = await orphanedClicks(1)
    expect(await takeSegments(adopter)).toEqual([])
    now -= 3_600_000
    expect(getClickIds(await drainJournal(adopter))).toEqual(ids)
  })

  it('is removed if it is empty or was not fully created', async () => {
    const clicks = join(journals.dataDir, 'clicks')
    mkdirSync(join(clicks, '01890a5d-ac96-774b-bcce-b302099a8057'), { recursive: true })
    mkdirSync(join(clicks, '.new-01890a5d-ac96-774b-bcce-b302099a8058'))
    utimesSync(join(clicks, '.new-01890a5d-ac96-774b-bcce-b302099a8058'), 1_000, 1_000)
    const journal = journals.open()
    await drainJournal(journal)
    expect(journals.folders()).toHaveLength(1)
  })
})

describe('a process that was frozen', () => {
  it('moves to a new folder and loses no click in the old one', async () => {
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
    expect(getClickIds(await drainJournal(journal)).sort()).toEqual([before, after])
    expect(journals.folders()).toHaveLength(1)
  })

  it('writes the clicks again to a new folder if it was frozen during a write', async () => {
    let now = Date.now()
    const root = join(journals.dataDir, 'clicks')
    let read = ''
    const journal = journals.open({
      now: () => now,
      write: (fd, bytes) => {
        if (read === '') {
          // Another process adopts the folder, reads the whole segment and removes it.
          const [old] = journals.folders()
          renameSync(join(root, old!), join(root, `${foreign}~${old}`))
          read = readFileSync(join(root, `${foreign}~${old}`, '00000001.clicks'), 'latin1')
          rmSync(join(root, `${foreign}~${old}`), { recursive: true })
          now += 61_000
          read += 'read'
        }
        return writeBytes(fd, bytes)
      },
    })
    const ids = await recordClicks(journal, 3)
    expect(read).toBe('read')
    expect(getClickIds(await drainJournal(journal))).toEqual(ids)
  })

  it('writes the clicks to a new folder if it was frozen before it opened a file', async () => {
    let isArmed = false
    const journal = journals.open({
      now: () => {
        // Another process adopts and removes the folder during the check that comes before the write.
        if (isArmed)
          for (const name of journals.folders())
            rmSync(join(journals.dataDir, 'clicks', name), { recursive: true })
        isArmed = false
        return Date.now()
      },
    })
    const recorded = recordClicks(journal, 3)
    isArmed = true
    const ids = await recorded
    expect(isArmed).toBe(false)
    expect(journal.getStats().lost).toBe(0)
    expect(getClickIds(await drainJournal(journal))).toEqual(ids)
  })

  it('can commit a batch that another process has already written', async () => {
    let now = Date.now()
    const journal = journals.open({ now: () => now })
    const before = await recordOne(journal)
    const segments = await takeSegments(journal)
    expect(getClickIds(await readSegments(segments))).toEqual([before])
    now += 31_000
    const after = await recordOne(journal)
    const adopter = journals.open()
    expect(getClickIds(await drainJournal(adopter))).toEqual([before])
    await commitSegments(journal, segments)
    expect(getClickIds(await drainJournal(journal))).toEqual([after])
  })
})
