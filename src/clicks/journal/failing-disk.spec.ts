/** Writes a click journal to a failing disk. */
import { existsSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import {
  Journals,
  drainJournal,
  getClickIds,
  createQueue,
  recordClicks,
  takeSegments,
  visit,
} from '../../../test/support/journals.js'
import type { ClickJournal } from './click-journal.js'
import { newId } from '../../platform/database/ids.js'
import { decodeLines } from './click-line.js'
import { OwnFolder } from './own-folder.js'
import { SegmentQueue } from './segment-queue.js'
import { writeBytes } from './segments.js'
import type { WriteBytes } from './segments.js'

let journals: Journals
beforeEach(() => {
  journals = new Journals()
})
afterEach(() => journals.stop())

/** Each step of the plan is for one write, which accepts a number of bytes or fails with an error code. */
function failing(): { write: WriteBytes; plan: (number | string | null)[] } {
  const plan: (number | string | null)[] = []
  return {
    plan,
    write: (fd, bytes) => {
      const step = plan.shift() ?? null
      if (typeof step === 'string') throw Object.assign(new Error(step), { code: step })
      return writeBytes(fd, step === null ? bytes : bytes.subarray(0, step))
    },
  }
}

describe('without a database', () => {
  it('continues after partial writes', async () => {
    const { write, plan } = failing()
    const journal = journals.open({ write })
    plan.push(1, 10, 100)
    const ids = await recordClicks(journal, 5)
    expect(getClickIds(await drainJournal(journal))).toEqual(ids)
    expect(journal.getStats()).toMatchObject({ lost: 0, torn: 0 })
  })

  it('counts the clicks of a failed write as lost, and still sends the redirects', async () => {
    const { write, plan } = failing()
    const faults: string[] = []
    const journal = journals.open({ write, onFault: (error) => faults.push(error.message) })
    plan.push('ENOSPC', 'ENOSPC')
    await recordClicks(journal, 3)
    await recordClicks(journal, 2)
    expect(journal.getStats()).toMatchObject({ lost: 5, pendingClicks: 0 })
    expect(faults).toEqual(['ENOSPC'])
    const ids = await recordClicks(journal, 2)
    expect(getClickIds(await drainJournal(journal))).toEqual(ids)
    plan.push('EIO')
    await recordClicks(journal, 1)
    expect(faults).toEqual(['ENOSPC', 'EIO'])
  })

  it.each([[0], [1], [50], [300], [400], [700]])(
    'discards a group if the disk fails after %d bytes, and keeps all other clicks',
    async (bytes) => {
      const { write, plan } = failing()
      const journal = journals.open({ write })
      const before = await recordClicks(journal, 2)
      plan.push(...(bytes > 0 ? [bytes, 'ENOSPC'] : ['ENOSPC']))
      await recordClicks(journal, 4)
      const after = await recordClicks(journal, 3)
      expect(getClickIds(await drainJournal(journal))).toEqual([...before, ...after])
      expect(journal.getStats()).toMatchObject({ lost: 4, torn: 0 })
    },
  )

  it('drops clicks while the journal is full, and records again after it was drained', async () => {
    const journal = journals.open({ maxBytes: 3_000, segmentBytes: 1_000 })
    const ids: string[] = []
    for (let i = 0; i < 30; i++) ids.push(...(await recordClicks(journal, 1)))
    const { dropped } = journal.getStats()
    expect(dropped).toBeGreaterThan(10)
    expect(getClickIds(await drainJournal(journal))).toEqual(ids.slice(0, 30 - dropped))
    const later = await recordClicks(journal, 1)
    expect(getClickIds(await drainJournal(journal))).toEqual(later)
    expect(journal.getStats().dropped).toBe(dropped)
  })
})

describe('with a healthy database', () => {
  /** Collects the IDs of directly written clicks and the callbacks, which the test calls. */
  function direct(journal: ClickJournal): { ids: string[]; done: ((isWritten: boolean) => void)[] } {
    const ids: string[] = []
    const done: ((isWritten: boolean) => void)[] = []
    createQueue(journal)
    journal.readFrom({
      onClosed: () => undefined,
      onMoved: () => undefined,
      writeDirectly: (lines, whenWritten) => {
        ids.push(...getClickIds(decodeLines(lines).clicks))
        done.push(whenWritten)
      },
    })
    return { ids, done }
  }

  it.each([
    ['the disk is full', { plan: ['ENOSPC'], maxBytes: 1_000_000 }],
    ['JOURNAL_MAX_BYTES is reached', { plan: [], maxBytes: 100 }],
  ])('sends redirects after the database has the clicks if %s', (_, { plan, maxBytes }) => {
    const disk = failing()
    const journal = journals.open({ write: disk.write, maxBytes })
    disk.plan.push(...plan)
    const written = direct(journal)
    let redirects = 0
    const ids = [1, 2, 3].map(() => journal.appendClick(visit, () => redirects++, undefined))
    journal.closeSegment()
    expect(written.ids).toEqual(ids)
    expect(redirects).toBe(0)
    written.done[0]!(true)
    expect(redirects).toBe(3)
    expect(journal.getStats()).toMatchObject({ lost: 0, dropped: 0, pendingBytes: 0 })
  })

  it('counts clicks as lost if the database does not accept them in time, and still sends the redirects', () => {
    const disk = failing()
    const journal = journals.open({ write: disk.write })
    disk.plan.push('ENOSPC')
    const written = direct(journal)
    let redirects = 0
    journal.appendClick(visit, () => redirects++, undefined)
    journal.closeSegment()
    written.done[0]!(false)
    expect(redirects).toBe(1)
    expect(journal.getStats().lost).toBe(1)
  })

  it('holds at most 8 MiB of clicks in memory', () => {
    const journal = journals.open({ maxBytes: 100 })
    const written = direct(journal)
    const long = { ...visit, url: `https://target.example/${'x'.repeat(16_000)}` }
    let redirects = 0
    for (let i = 0; i < 600; i++) {
      journal.appendClick(long, () => redirects++, undefined)
      journal.closeSegment()
    }
    expect(written.ids.length).toBeLessThan(600)
    expect(redirects).toBe(600 - written.ids.length)
    expect(journal.getStats().dropped).toBe(redirects)
  })
})

describe('a folder that can neither be used nor removed', () => {
  /** Replaces the folder of the journal by a file, so that each access fails. */
  function breakFolder(): void {
    const folder = journals.onlyFolder()
    rmSync(folder, { recursive: true })
    writeFileSync(folder, '')
  }

  it('is left at the next heartbeat, and the process continues', () => {
    const root = join(journals.dataDir, 'clicks')
    mkdirSync(root)
    const folder = new OwnFolder(root, {
      segmentBytes: 1_000,
      segmentMs: 1_000,
      write: writeBytes,
      now: Date.now,
      onClosed: () => undefined,
      onMoved: () => undefined,
    })
    folder.moveToNewFolder()
    breakFolder()
    folder.sendHeartbeat()
    folder.writeLines(Buffer.from('line\n'), 1)
    expect(folder.open).toMatchObject({ clicks: 1 })
    folder.release()
  })
})

it('continues after a segment whose file cannot be removed', async () => {
  const journal = journals.open()
  await recordClicks(journal, 1)
  const [segment] = await takeSegments(journal)
  rmSync(segment!.path)
  mkdirSync(segment!.path)
  const faults: Error[] = []
  const { root, folderId, segments } = journal
  const queue = new SegmentQueue({
    root,
    folderId,
    segments,
    onAdopted: () => undefined,
    onFault: (error) => faults.push(error),
  })
  const taken = await queue.nextSegments(1_000_000)
  expect(taken).toMatchObject([segment])
  await queue.removeSegments(taken)
  expect(faults).toHaveLength(1)
  expect(await queue.nextSegments(1_000_000)).toEqual([])
})

it('does not return an adopted segment again that was written and cannot be removed', async () => {
  const stopped = journals.open()
  await recordClicks(stopped, 1)
  await stopped.close()
  let now = Date.now()
  const adoptedBytes: number[] = []
  const faults: Error[] = []
  const queue = new SegmentQueue({
    root: join(journals.dataDir, 'clicks'),
    folderId: newId(),
    segments: [],
    onAdopted: (bytes) => adoptedBytes.push(bytes),
    onFault: (error) => faults.push(error),
    now: () => now,
  })
  const scan = () => {
    now += 60_000
    return queue.nextSegments(1_000_000)
  }
  const taken = await scan()
  const { path } = taken[0]!
  rmSync(path)
  mkdirSync(path)
  await queue.removeSegments(taken)
  expect(await scan()).toEqual([])
  expect(await scan()).toEqual([])
  expect(faults).toHaveLength(1)
  expect(adoptedBytes.at(-1)).toBe(0)
  rmdirSync(path)
  writeFileSync(path, '')
  expect(await scan()).toEqual([])
  expect(existsSync(dirname(path))).toBe(false)
})
