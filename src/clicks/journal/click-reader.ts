/**
 * The reading end of the journal, for one consumer, which may be in another thread. It reads the clicks that dead
 * processes left, then those of this process. Batches are read ahead and committed in their order; `rewind` goes back
 * to the last commit. A crash between the consumer's own commit and the reader's makes a batch come again. The consumer
 * then knows its clicks by their ids.
 */
import type { Click } from './click-line.js'
import { FolderProgress, ReaderState, type SharedFolder } from './own-folder.js'
import { FolderReader } from './folder-reader.js'
import type { SegmentSource } from './folder-reader.js'
import { OrphanedFolders } from './orphaned-folders.js'
import { thisProcess } from './folders.js'
import { isMissing, listSegments, readCheckpoint, removeSegment } from './segments.js'
import type { JournalPlace } from './segments.js'

/** What the reader needs of the journal; it can be sent to another thread. */
export interface SharedJournal {
  root: string
  folder: SharedFolder
  state: SharedArrayBuffer
}

export interface ReaderOptions {
  now?: () => number
  /** Called each time an orphaned folder cannot be read. */
  onFault?: (error: Error) => void
}

export interface ClickBatch {
  clicks: Click[]
  /** The clicks may have been handed out before, so the consumer may have them already. */
  mayRepeat: boolean
  /** The batch reached its largest size, so there may be more clicks. */
  isFull: boolean
  /** Says that the clicks are safe elsewhere. They are not read again, and files that hold no others are removed. */
  commit: () => Promise<void>
}

export class ClickReader {
  private readonly state: ReaderState
  private readonly orphans: OrphanedFolders
  private readonly now: () => number
  private readonly onFault: (error: Error) => void
  private folder: SharedFolder
  /** The reader of `folder`. It is opened at the first read. */
  private own: FolderReader | null = null
  private retired: FolderReader | null = null
  /** The time of the first click of each batch that is under way. */
  private readonly underWay: number[] = []

  constructor({ root, folder, state }: SharedJournal, { now, onFault }: ReaderOptions = {}) {
    this.now = now ?? Date.now
    this.onFault = onFault ?? (() => undefined)
    this.state = new ReaderState(state)
    this.folder = folder
    this.orphans = new OrphanedFolders(root, thisProcess(), this.state)
  }

  /** The journal writes to another folder from now on. The old one is adopted like the folder of a dead process. */
  follow(folder: SharedFolder): void {
    this.folder = folder
    this.retired ??= this.own
    this.own = null
    this.orphans.lookSoon()
  }

  /** Up to `limit` clicks, oldest first; fewer when their lines are long. Null when there are none now. */
  async next(limit: number): Promise<ClickBatch | null> {
    const retired = this.retired
    this.retired = null
    await retired?.close()
    const batch = (await this.nextOrphaned(limit)) ?? (await this.nextOwn(limit))
    const [first] = batch?.clicks ?? []
    if (!batch || !first) return null
    this.underWay.push(first.time)
    this.publishOldest()
    return {
      clicks: batch.clicks,
      mayRepeat: batch.mayRepeat,
      isFull: batch.isFull,
      commit: async () => {
        await batch.commit()
        this.underWay.shift()
        this.publishOldest()
      },
    }
  }

  async rewind(): Promise<void> {
    this.underWay.length = 0
    await this.orphans.rewind()
    await this.own?.rewind()
  }

  async close(): Promise<void> {
    await this.retired?.close()
    await this.own?.close()
    await this.orphans.close()
  }

  /** A fault in an orphaned folder must not stop the clicks of this process. */
  private async nextOrphaned(limit: number): Promise<ClickBatch | null> {
    try {
      await this.orphans.look(this.folder.id, this.now())
      const batch = await this.orphans.next(limit)
      return batch && { ...batch, commit: () => this.orphans.commit(batch) }
    } catch (error) {
      this.onFault(error as Error)
      return null
    }
  }

  private async nextOwn(limit: number): Promise<ClickBatch | null> {
    const { folder } = this
    if (!this.own) {
      const opened = await readLiveFolder(folder, this.state)
      // The journal went on to another folder meanwhile.
      if (folder !== this.folder) return this.nextOwn(limit)
      this.own = opened
    }
    const reader = this.own
    const batch = await reader.next(limit)
    if (!batch) return null
    return {
      ...batch,
      commit: () =>
        reader.commit(batch).catch((error: unknown) => {
          // The folder was given up while the batch was on its way; whoever has it now reads the batch again.
          if (!isMissing(error) || folder === this.folder) throw error
        }),
    }
  }

  private publishOldest(): void {
    this.state.oldestSeen = this.underWay[0] ?? null
  }
}

/** The reading end of a folder that is being written to, by another thread of the same process. */
class LiveSegments implements SegmentSource {
  readonly growing = true

  constructor(private readonly progress: FolderProgress) {}

  after(segment: number): number | null {
    return segment < this.progress.segment ? segment + 1 : null
  }

  readableBytes(segment: number): number {
    return segment === this.progress.segment ? this.progress.size : Infinity
  }

  consumed(place: JournalPlace, clicks: number): void {
    this.progress.consume(place, clicks)
  }
}

/** Begins where the reader before this one stopped. */
async function readLiveFolder(
  { path, progress: shared }: SharedFolder,
  state: ReaderState,
): Promise<FolderReader> {
  const progress = new FolderProgress(shared)
  const place = await whereToBegin(path)
  progress.consume(place, 0)
  const written = { segment: progress.segment, offset: progress.size }
  return new FolderReader(path, new LiveSegments(progress), place, written, state)
}

async function whereToBegin(path: string): Promise<JournalPlace> {
  const beginning = { segment: 1, offset: 0 }
  try {
    const place = (await readCheckpoint(path)) ?? beginning
    // The reader before this one may have died between its checkpoint and the removal of a segment.
    for (const segment of await listSegments(path))
      if (segment < place.segment) await removeSegment(path, segment)
    return place
  } catch (error) {
    // The folder was given up and adopted meanwhile. `follow` will name the next one.
    if (isMissing(error)) return beginning
    throw error
  }
}
