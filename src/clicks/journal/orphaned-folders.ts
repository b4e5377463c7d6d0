/** Folders of processes that are gone. They are taken over, read one after the other, and removed when empty. */
import { FolderReader } from './folder-reader.js'
import type { FolderBatch, SegmentSource } from './folder-reader.js'
import { type Owner, adoptFolders, removeFolder } from './folders.js'
import type { ReaderState } from './own-folder.js'
import { fileSize, isMissing, listSegments, readCheckpoint, segmentPath } from './segments.js'
import type { JournalPlace } from './segments.js'

/** With a shorter wait a dead neighbor's clicks are counted sooner, but each look costs a few file operations. */
const lookEveryMs = 30_000

interface OrphanedFolder {
  path: string
  bytes: number
  /** Opened at its first read, because each reader has a buffer and there may be many folders. */
  opened: FinishedFolder | null
}

export interface OrphanedBatch extends FolderBatch {
  folder: OrphanedFolder
}

export class OrphanedFolders {
  private queue: OrphanedFolder[] = []
  private lookedAt = -Infinity

  constructor(
    private readonly root: string,
    private readonly self: Owner,
    private readonly state: ReaderState,
  ) {}

  lookSoon(): void {
    this.lookedAt = -Infinity
  }

  /** Adopts the folders that were left since the last look. */
  async look(adopterId: string, now: number): Promise<void> {
    if (now - this.lookedAt < lookEveryMs) return
    this.lookedAt = now
    const known = new Set(this.queue.map(({ path }) => path))
    for (const path of await adoptFolders(this.root, adopterId, this.self, now))
      if (!known.has(path)) this.queue.push({ path, bytes: await bytesOf(path).catch(() => 0), opened: null })
    this.publish()
  }

  /**
   * The next clicks of the oldest folder; null when all folders are read. A folder that cannot be read goes to the end
   * of the queue, and its error to the caller. It must stop neither the other folders nor the clicks of this process.
   */
  async next(limit: number): Promise<OrphanedBatch | null> {
    for (const folder of [...this.queue])
      try {
        folder.opened ??= await readFinishedFolder(folder.path, this.state)
        const { reader } = folder.opened
        const batch = await reader.next(limit)
        if (batch) return { ...batch, folder }
        // All of the folder was read, but not all of it is committed.
        if (reader.isUnderWay) continue
        await this.drop(folder)
        await removeFolder(folder.path)
      } catch (error) {
        await this.drop(folder)
        if (isMissing(error)) continue
        this.queue.push({ ...folder, opened: null })
        throw error
      } finally {
        this.publish()
      }
    return null
  }

  async commit({ folder, ...batch }: OrphanedBatch): Promise<void> {
    try {
      await folder.opened?.reader.commit(batch)
      this.publish()
    } catch (error) {
      if (!isMissing(error)) throw error
      // Another process adopted the folder while this one slept, and reads these clicks again. The database knows them.
      await this.drop(folder)
    }
  }

  async rewind(): Promise<void> {
    for (const { opened } of this.queue) await opened?.reader.rewind()
  }

  async close(): Promise<void> {
    for (const folder of [...this.queue]) await this.drop(folder)
  }

  private async drop(folder: OrphanedFolder): Promise<void> {
    this.queue = this.queue.filter((other) => other !== folder)
    await folder.opened?.reader.close()
    folder.opened = null
  }

  private publish(): void {
    for (const folder of this.queue) if (folder.opened) folder.bytes = folder.opened.segments.pendingBytes
    this.state.orphanedBytes = this.queue.reduce((sum, { bytes }) => sum + bytes, 0)
  }
}

/** A folder that nobody writes to any more: all its segments are there, and have their final size. */
class FinishedSegments implements SegmentSource {
  readonly growing = false
  pendingBytes = 0

  constructor(private readonly sizes: ReadonlyMap<number, number>) {}

  after(segment: number): number | null {
    for (const other of this.sizes.keys()) if (other > segment) return other
    return null
  }

  readableBytes(): number {
    return Infinity
  }

  consumed({ segment, offset }: JournalPlace): void {
    const bytes = [...this.sizes].reduce((sum, [other, size]) => (other < segment ? sum : sum + size), 0)
    this.pendingBytes = Math.max(0, bytes - offset)
  }
}

export interface FinishedFolder {
  reader: FolderReader
  segments: { readonly pendingBytes: number }
}

/** Nobody knows how far the dead process had read, so every batch may repeat. */
const unknown: JournalPlace = { segment: Infinity, offset: 0 }

export async function readFinishedFolder(folder: string, state: ReaderState): Promise<FinishedFolder> {
  const [sizes, checkpoint] = await Promise.all([sizesOf(folder), readCheckpoint(folder)])
  const first = sizes.keys().next().value ?? 1
  const place = checkpoint && checkpoint.segment >= first ? checkpoint : { segment: first, offset: 0 }
  const segments = new FinishedSegments(sizes)
  segments.consumed(place)
  return { reader: new FolderReader(folder, segments, place, unknown, state), segments }
}

async function bytesOf(folder: string): Promise<number> {
  return [...(await sizesOf(folder)).values()].reduce((sum, size) => sum + size, 0)
}

async function sizesOf(folder: string): Promise<Map<number, number>> {
  const segments = await listSegments(folder)
  const sizes = await Promise.all(segments.map((segment) => fileSize(segmentPath(folder, segment))))
  return new Map(segments.map((segment, i) => [segment, sizes[i]!]))
}
