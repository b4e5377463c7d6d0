/**
 * The segments to write to the database: first the segments in adopted folders of ended processes, then the segments of
 * this process. A segment is removed after it was written. If a crash comes between the two, the segment is written
 * again, and the database recognizes its clicks by their IDs.
 */
import { dirname } from 'node:path'

import { adoptFolders, removeFolder, getOwner } from './folders.js'
import { listSegments, removeSegment } from './segments.js'
import type { JournalSegment } from './segments.js'

/** With a shorter interval, clicks of dead processes would be counted sooner, but each scan reads the file system. */
const scanIntervalMs = 30_000

interface SegmentQueueOptions {
  root: string
  /** The folder of this process, and its closed segments. */
  folderId: string
  segments: readonly JournalSegment[]
  /** Called with the number of bytes in adopted folders when it changes. */
  onAdopted: (bytes: number) => void
  /** Called for each folder that cannot be adopted or listed, and each segment that cannot be removed. */
  onFault: (error: Error) => void
  now?: () => number
}

export class SegmentQueue {
  private readonly self = getOwner()
  private readonly now: () => number
  private folderId: string
  private own: JournalSegment[]
  private adopted: JournalSegment[] = []
  /** Segments of this process that could not be read. They are tried again at the next scan. */
  private skipped: JournalSegment[] = []
  private scannedAt = -Infinity

  constructor(private readonly options: SegmentQueueOptions) {
    this.now = options.now ?? Date.now
    this.folderId = options.folderId
    this.own = [...options.segments]
  }

  addSegment(segment: JournalSegment): void {
    this.own.push(segment)
  }

  /** Notes that this process moved to another folder. Its previous folder is adopted like that of a dead process. */
  setFolder(folderId: string): void {
    this.folderId = folderId
    this.scannedAt = -Infinity
  }

  /** Returns the oldest segments, up to about `maxBytes`. The result is empty if the queue is empty. */
  async nextSegments(maxBytes: number): Promise<JournalSegment[]> {
    const age = this.now() - this.scannedAt
    // Negative after the clock was set back.
    if (age >= scanIntervalMs || age < 0) await this.adoptSegments()
    const queue = this.adopted.length > 0 ? this.adopted : this.own
    let bytes = 0
    const end = queue.findIndex((segment, i) => (bytes += segment.bytes) > maxBytes && i > 0)
    return end < 0 ? [...queue] : queue.slice(0, end)
  }

  /**
   * Removes segments whose clicks are in the database. A file that cannot be removed from a failing disk is read
   * again after the next start.
   */
  async removeSegments(segments: readonly JournalSegment[]): Promise<void> {
    for (const result of await Promise.allSettled(segments.map(removeSegment)))
      if (result.status === 'rejected') this.options.onFault(result.reason as Error)
    const removed = new Set(segments)
    this.own = this.own.filter((segment) => !removed.has(segment))
    const remaining = this.adopted.filter((segment) => !removed.has(segment))
    if (remaining.length === this.adopted.length) return
    this.adopted = remaining
    for (const folder of new Set(segments.map(({ path }) => dirname(path)))) await removeEmptyFolder(folder)
    this.report()
  }

  /** Skips a segment that cannot be read, until the next scan. */
  skipSegment(segment: JournalSegment): void {
    if (this.own.includes(segment)) this.skipped.push(segment)
    this.own = this.own.filter((other) => other !== segment)
    this.adopted = this.adopted.filter((other) => other !== segment)
  }

  private async adoptSegments(): Promise<void> {
    const { root, onFault } = this.options
    this.scannedAt = this.now()
    this.own.unshift(...this.skipped.splice(0))
    this.adopted = []
    try {
      for (const folder of await adoptFolders(root, this.folderId, this.self, this.scannedAt, onFault)) {
        const segments = await listSegments(folder)
        if (segments.length === 0) await removeFolder(folder)
        this.adopted.push(...segments)
      }
    } catch (error) {
      // The next scan finds the remaining folders. This process's own segments are not affected.
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
