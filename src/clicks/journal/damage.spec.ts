/** Reads a click journal with damaged files. */
import { readFileSync, readdirSync } from 'node:fs'
import { appendFile, mkdir, truncate } from 'node:fs/promises'
import { join } from 'node:path'

import { Journals, drainJournal, getClickIds, recordClicks } from '../../../test/support/journals.js'
import { readSegment } from './segments.js'

let journals: Journals
beforeEach(() => {
  journals = new Journals()
})
afterEach(() => journals.stop())

describe('a damaged segment', () => {
  async function writtenLines(count: number): Promise<{ file: string; text: string; ids: string[] }> {
    const journal = journals.open()
    const ids = await recordClicks(journal, count)
    await journal.close()
    const file = join(journals.onlyFolder(), journals.segments()[0]!)
    return { file, text: readFileSync(file, 'latin1'), ids }
  }

  it('loses only the torn last line, wherever the file ends', async () => {
    const { file, text, ids } = await writtenLines(3)
    const bytes = Buffer.from(text, 'latin1')
    const endOfFirst = text.indexOf('\n') + 1
    for (let length = bytes.length; length >= endOfFirst; length--) {
      await truncate(file, length)
      const { clicks, torn } = await readSegment({ path: file, bytes: length })
      const truncated = text.slice(0, length)
      // A line that lacks only its newline is complete.
      const complete = truncated
        .split('\n')
        .filter((line) => text.split('\n').includes(line) && line !== '').length
      expect(getClickIds(clicks)).toEqual(ids.slice(0, complete))
      expect(torn).toBe(truncated.split('\n').filter((line) => line !== '').length - complete)
    }
  })

  it.each([
    ['text', 'garbage\nmore garbage\n', 2],
    ['zeros', '\0'.repeat(5_000), 1],
    ['a long line', `${'x'.repeat(700_000)}\n`, 1],
    ['half a line', '1\t0190', 1],
  ])(
    'with %s in the middle loses no other line and counts the unreadable lines',
    async (_, garbage, lines) => {
      const { file, text, ids } = await writtenLines(4)
      const middle = text.split('\n').slice(0, 2).join('\n').length + 1
      await truncate(file, middle)
      await appendFile(file, garbage.endsWith('\n') ? garbage : `${garbage}\n`, 'latin1')
      await appendFile(file, text.slice(middle), 'latin1')
      const journal = journals.open()
      expect(getClickIds(await drainJournal(journal))).toEqual(ids)
      expect(journal.getStats().torn).toBe(lines)
    },
  )
})

it('ignores files and folders that do not belong to a journal', async () => {
  const journal = journals.open()
  await mkdir(join(journals.dataDir, 'clicks', 'backup of clicks'))
  await appendFile(join(journals.dataDir, 'clicks', 'notes.txt'), 'mine')
  await drainJournal(journal)
  expect(readdirSync(join(journals.dataDir, 'clicks'))).toEqual(
    expect.arrayContaining(['backup of clicks', 'notes.txt']),
  )
})
