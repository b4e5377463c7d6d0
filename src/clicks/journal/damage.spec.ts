/** The click journal after damage to its files. */
import { readFileSync, readdirSync } from 'node:fs'
import { appendFile, mkdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { Journals, drain, idsOf, record, readerOf } from '../../../test/support/journals.js'
import { readFinishedFolder } from './orphaned-folders.js'
import { ReaderState } from './own-folder.js'

let journals: Journals
beforeEach(() => {
  journals = new Journals()
})
afterEach(() => journals.stop())

describe('damage', () => {
  async function writtenLines(count: number): Promise<{ file: string; text: string; ids: string[] }> {
    const journal = journals.open()
    const ids = await record(journal, count)
    await journal.close()
    const file = join(journals.onlyFolder(), journals.segments()[0]!)
    return { file, text: readFileSync(file, 'latin1'), ids }
  }

  it('at the end costs the torn line only, wherever it is cut', async () => {
    const { file, text, ids } = await writtenLines(3)
    const bytes = Buffer.from(text, 'latin1')
    const endOfFirst = text.indexOf('\n') + 1
    for (let length = bytes.length; length >= endOfFirst; length--) {
      await truncate(file, length)
      const { reader } = await readFinishedFolder(journals.onlyFolder(), new ReaderState())
      const whole = text.slice(0, length).split('\n').length - 1
      const batch = await reader.next(10)
      expect(idsOf(batch!.clicks)).toEqual(ids.slice(0, whole))
      expect(batch!.torn).toBe(text.slice(0, length).endsWith('\n') ? 0 : 1)
      await reader.close()
    }
  })

  it.each([
    ['text', 'garbage\nmore garbage\n', 2],
    ['zeros', '\0'.repeat(5_000), 1],
    ['a long line', `${'x'.repeat(700_000)}\n`, 3],
    ['half a line', '1\t0190', 1],
  ])('in the middle (%s) is skipped and counted', async (_, garbage, most) => {
    const { file, text, ids } = await writtenLines(4)
    const middle = text.split('\n').slice(0, 2).join('\n').length + 1
    await truncate(file, middle)
    await appendFile(file, garbage.endsWith('\n') ? garbage : `${garbage}\n`, 'latin1')
    await appendFile(file, text.slice(middle), 'latin1')
    const journal = journals.open()
    expect(idsOf(await drain(journal))).toEqual(ids)
    const { torn } = journal.stats()
    expect(torn).toBeGreaterThan(0)
    expect(torn).toBeLessThanOrEqual(most)
  })

  it('of the checkpoint repeats clicks instead of losing them', async () => {
    const first = journals.open()
    const ids = await record(first, 6)
    const batch = await readerOf(first).next(2)
    await batch!.commit()
    await first.close()
    await writeFile(join(journals.onlyFolder(), 'checkpoint.json'), '{"segm')
    expect(idsOf(await drain(journals.open()))).toEqual(ids)
  })

  it('of a folder name or a stray file is left alone', async () => {
    const journal = journals.open()
    await mkdir(join(journals.dataDir, 'clicks', 'backup of clicks'))
    await appendFile(join(journals.dataDir, 'clicks', 'notes.txt'), 'mine')
    await drain(journal)
    expect(readdirSync(join(journals.dataDir, 'clicks'))).toEqual(
      expect.arrayContaining(['backup of clicks', 'notes.txt']),
    )
  })
})
