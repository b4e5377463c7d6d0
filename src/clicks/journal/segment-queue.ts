/**
 * The segments that wait for the database: first those of ended processes, whose folders are adopted, then those of this
 * process. The queue removes what is written, so a crash in between makes a segment come again. The database recognizes
 * its clicks by their IDs.
 */
import { dirname } from 'node:path'

import { adoptFolders, removeFolder, thisProcess } from './folders.js'
import { listSegments, removeSegment } from './segments.js'
import type { JournalSegment } from './segments.js'

/** A dead neighbor's clicks would be counted sooner after a shorter wait, but each look costs file operations. */
const lookEveryMs = 30_000

interface SegmentQueueOptions {
  root: string
  /** The folder of this process, and its closed segments. */
  folderId: string
  segments: readonly JournalSegment[]
  /** Called with the bytes in adopted folders whenever they change. */
  onAdopted: (bytes: number) => void
  /** Called for each folder that cannot be adopted or listed now. */
  onFault: (error: Error) => void
  now?: () => number
}

export class SegmentQueue {
  private readonly self = thisProcess()
  private readonly now: () => number
  private folderId: string
  private own: JournalSegment[]
  private adopted: JournalSegment[] = []
  private lookedAt = -Infinity

  constructor(private readonly options: SegmentQueueOptions) {
    this.now = options.now ?? Date.now
    this.folderId = options.folderId
    this.own = [...options.segments]
  }

  add(segment: JournalSegment): void {
    this.own.push(segment)
  }

  /** This process writes to another folder. The one before is adopted like the folder of a dead process. */
  moveTo(folderId: string): void {
    this.folderId = folderId
    this.lookedAt = -Infinity
  }

  /** The oldest segments, with about this many bytes at most. None when no segment waits. */
  async next(mostBytes: number): Promise<JournalSegment[]> {
    if (this.now() - this.lookedAt >= lookEveryMs) await this.adopt()
    const queue = this.adopted.length > 0 ? this.adopted : this.own
    let bytes = 0
    const end = queue.findIndex((segment, i) => (bytes += segment.bytes) > mostBytes && i > 0)
    return end < 0 ? [...queue] : queue.slice(0, end)
  }

  /** The clicks of these segments are in the database. */
  async remove(segments: readonly JournalSegment[]): Promise<void> {
    await Promise.all(segments.map(removeSegment))
    const removed = new Set(segments)
    this.own = this.own.filter((segment) => !removed.has(segment))
    const left = this.adopted.filter((segment) => !removed.has(segment))
    if (left.length === this.adopted.length) return
    this.adopted = left
    for (const folder of new Set(segments.map(({ path }) => dirname(path)))) await removeEmptyFolder(folder)
    this.report()
  }

  /** Leaves a segment that cannot be read on the disk, for the next look at adopted folders or the next start. */
  skip(segment: JournalSegment): void {
    this.own = this.own.filter((other) => other !== segment)
    this.adopted = this.adopted.filter((other) => other !== segment)
  }

  private async adopt(): Promise<void> {
    const { root, onFault } = this.options
    this.lookedAt = this.now()
    this.adopted = []
    try {
      for (const folder of await adoptFolders(root, this.folderId, this.self, this.lookedAt, onFault)) {
        const segments = await listSegments(folder)
        if (segments.length === 0) await removeFolder(folder)
        this.adopted.push(...segments)
      }
    } catch (error) {
      // What is left out now is found at the next look. The clicks of this process go on.
      onFault(error as Error)
    }
    this.report()
  }

  private report(): void {
    this.options.onAdopted(this.adopted.reduce((sum, { bytes }) => sum + bytes, 0))
  }
}

/** Removes an adopted folder unless it holds a segment that could not be read. */
async function removeEmptyFolder(folder: string): Promise<void> {
  const segments = await listSegments(folder).catch(() => null)
  if (segments?.length === 0) await removeFolder(folder)
}
