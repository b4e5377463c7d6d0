/** Click journals in a folder of their own, with the steps that specs take on them. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { ClickJournal } from '../../src/clicks/journal/click-journal.js'
import type { JournalOptions } from '../../src/clicks/journal/click-journal.js'
import { ClickReader } from '../../src/clicks/journal/click-reader.js'
import type { Click } from '../../src/clicks/journal/click-line.js'
import type { Visit } from '../../src/links/redirect/redirect-handler.js'

export const visit: Visit = {
  linkId: '01890a5d-ac96-774b-bcce-b302099a8057',
  workspaceId: '01890a5d-ac96-774b-bcce-b302099a8058',
  slug: 'launch',
  url: 'https://example.com/',
  userAgent: 'Mozilla/5.0',
  referer: '',
  acceptLanguage: 'en',
  address: '192.0.2.7',
  country: '',
  query: '',
}

/** The readers of each journal. Only the last one reads. */
const readers = new WeakMap<ClickJournal, ClickReader[]>()

/** The reader of a journal, which in the service runs in another thread. */
export function readerOf(journal: ClickJournal): ClickReader {
  return readers.get(journal)!.at(-1)!
}

/** Makes a new reader, as after the death of the thread. From now on the journal reports to it. */
export function newReaderOf(journal: ClickJournal, options: Partial<JournalOptions> = {}): ClickReader {
  const reader = new ClickReader(journal.shared, options)
  journal.listen({ onWritten: () => undefined, onRenewed: (folder) => reader.follow(folder) })
  readers.set(journal, [...(readers.get(journal) ?? []), reader])
  return reader
}

export class Journals {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'journals-'))
  private readonly opened: ClickJournal[] = []

  open(options: Partial<JournalOptions> = {}): ClickJournal {
    const journal = new ClickJournal({ dataDir: this.dataDir, maxBytes: 1_000_000_000, ...options })
    this.opened.push(journal)
    newReaderOf(journal, options)
    return journal
  }

  folders(): string[] {
    return readdirSync(join(this.dataDir, 'clicks')).sort()
  }

  onlyFolder(): string {
    const [name, ...others] = this.folders()
    expect(others).toEqual([])
    return join(this.dataDir, 'clicks', name!)
  }

  segments(): string[] {
    return readdirSync(this.onlyFolder())
      .filter((name) => name.endsWith('.clicks'))
      .sort()
  }

  async stop(): Promise<void> {
    for (const journal of this.opened) {
      for (const reader of readers.get(journal)!) await reader.close()
      await journal.close()
    }
    rmSync(this.dataDir, { recursive: true, force: true })
  }
}

/** Resolves with the ids once all of them are durable. */
export function record(journal: ClickJournal, count: number, slug = visit.slug): Promise<string[]> {
  return new Promise((resolve) => {
    const ids: string[] = []
    let durable = 0
    const done = (): void => {
      if (++durable === count) resolve(ids)
    }
    for (let i = 0; i < count; i++) ids.push(journal.append({ ...visit, slug }, done, undefined))
  })
}

export async function recordOne(journal: ClickJournal): Promise<string> {
  const [id] = await record(journal, 1)
  return id!
}

export async function drain(journal: ClickJournal, limit = 1000): Promise<Click[]> {
  const clicks: Click[] = []
  const reader = readerOf(journal)
  for (let batch = await reader.next(limit); batch; batch = await reader.next(limit)) {
    clicks.push(...batch.clicks)
    await batch.commit()
  }
  return clicks
}

export const idsOf = (clicks: readonly Click[]): string[] => clicks.map(({ id }) => id)
