/** Click journals in a temporary folder, with the steps of the ingester. */
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { ClickJournal } from '../../src/clicks/journal/click-journal.js'
import type { JournalOptions } from '../../src/clicks/journal/click-journal.js'
import type { Click } from '../../src/clicks/journal/click-line.js'
import type { Owner } from '../../src/clicks/journal/folders.js'
import { SegmentQueue } from '../../src/clicks/journal/segment-queue.js'
import { readSegment } from '../../src/clicks/journal/segments.js'
import type { JournalSegment } from '../../src/clicks/journal/segments.js'
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
  traceparent: '',
}

function throwFault(error: Error): void {
  throw error
}

const queues = new WeakMap<ClickJournal, SegmentQueue>()

/** The reader of a journal, which runs in another thread in the service. */
export function getQueue(journal: ClickJournal): SegmentQueue {
  return queues.get(journal)!
}

/** Creates a new queue, as after a restart of the thread. */
export function createQueue(
  journal: ClickJournal,
  { now, onFault = throwFault }: { now?: () => number; onFault?: (error: Error) => void } = {},
): SegmentQueue {
  const { root, folderId, segments } = journal
  const queue = new SegmentQueue({
    root,
    folderId,
    segments,
    onAdopted: (bytes) => journal.noteAdopted(bytes),
    onFault,
    ...(now ? { now } : {}),
  })
  journal.readFrom({
    onClosed: (segment) => queue.addSegment(segment),
    onMoved: (id) => queue.setFolder(id),
    writeDirectly: (_, done) => done(false),
  })
  queues.set(journal, queue)
  return queue
}

export class Journals {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'journals-'))
  private readonly opened: ClickJournal[] = []

  open(options: Partial<JournalOptions> = {}): ClickJournal {
    const journal = new ClickJournal({ dataDir: this.dataDir, maxBytes: 1_000_000_000, ...options })
    this.opened.push(journal)
    createQueue(journal, options.now ? { now: options.now } : {})
    return journal
  }

  folders(): string[] {
    return readdirSync(join(this.dataDir, 'clicks')).sort()
  }

  onlyFolder(): string {
    const [name, ...others] = this.folders().filter((each) => !each.endsWith('.clicks'))
    expect(others).toEqual([])
    return join(this.dataDir, 'clicks', name!)
  }

  segments(): string[] {
    return readdirSync(this.onlyFolder())
      .filter((name) => name.endsWith('.clicks'))
      .sort()
  }

  isOwnedBy(folder: string, pid: number): boolean {
    return this.readOwner(folder)?.pid === pid
  }

  /** Makes a folder look owned by another machine, with a last heartbeat of this age. */
  changeOwner(folder: string, changes: Partial<Owner>, silentMs: number): void {
    const path = this.ownerFile(folder)
    writeFileSync(path, JSON.stringify({ ...this.readOwner(folder), ...changes }))
    const touched = Date.now() / 1000 - silentMs / 1000
    utimesSync(path, touched, touched)
  }

  private readOwner(folder: string): Owner | null {
    const path = this.ownerFile(folder)
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Owner) : null
  }

  private ownerFile(folder: string): string {
    return join(this.dataDir, 'clicks', folder, 'owner.json')
  }

  async stop(): Promise<void> {
    for (const journal of this.opened) await journal.close()
    rmSync(this.dataDir, { recursive: true, force: true })
  }
}

/** Resolves with the IDs once all clicks are durable. */
export function recordClicks(journal: ClickJournal, count: number, slug = visit.slug): Promise<string[]> {
  return new Promise((resolve) => {
    const ids: string[] = []
    let durable = 0
    const done = (): void => {
      if (++durable === count) resolve(ids)
    }
    for (let i = 0; i < count; i++) ids.push(journal.appendClick({ ...visit, slug }, done, undefined))
  })
}

export async function recordOne(journal: ClickJournal): Promise<string> {
  const [id] = await recordClicks(journal, 1)
  return id!
}

/** Reads the oldest segments as the ingester does, without committing. */
export async function takeSegments(journal: ClickJournal, bytes = 1_000_000): Promise<JournalSegment[]> {
  journal.closeSegment()
  return getQueue(journal).nextSegments(bytes)
}

export async function readSegments(segments: readonly JournalSegment[]): Promise<Click[]> {
  return (await Promise.all(segments.map(readSegment))).flatMap(({ clicks }) => clicks)
}

/** Completes segments whose clicks are in the database. */
export async function commitSegments(
  journal: ClickJournal,
  segments: readonly JournalSegment[],
): Promise<void> {
  const torn = (await Promise.all(segments.map(readSegment))).reduce((sum, each) => sum + each.torn, 0)
  await getQueue(journal).removeSegments(segments)
  journal.noteWritten(
    segments.map(({ path }) => path),
    torn,
  )
}

export async function drainJournal(journal: ClickJournal): Promise<Click[]> {
  const clicks: Click[] = []
  for (;;) {
    const segments = await takeSegments(journal)
    if (segments.length === 0) return clicks
    clicks.push(...(await readSegments(segments)))
    await commitSegments(journal, segments)
  }
}

export const getClickIds = (clicks: readonly Click[]): string[] => clicks.map(({ id }) => id)
