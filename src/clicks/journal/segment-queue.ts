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
  /** Called for each folder that cannot be adopted, listed or removed, and each unreadable or unremovable segment. */
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
  /** Paths of segments that are in the database and could not be removed. */
  private readonly unremoved = new Set<string>()
  /** Paths of files and folders whose fault was reported. */
  private readonly faulty = new Set<string>()
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
   * Removes segments whose clicks are in the database. A file of this process that cannot be removed from a failing disk
   * is read again after the next start. A file in an adopted folder is only removed at a later scan.
   */
  async removeSegments(segments: readonly JournalSegment[]): Promise<void> {
    await this.removeFiles(segments)
    const written = new Set(segments)
    this.own = this.own.filter((segment) => !written.has(segment))
    const remaining = this.adopted.filter((segment) => !written.has(segment))
    if (remaining.length === this.adopted.length) return
    this.adopted = remaining
    for (const folder of new Set(segments.map(({ path }) => dirname(path))))
      await this.removeEmptyFolder(folder)
    this.report()
  }

  /** Skips a segment that cannot be read, until the next scan. */
  skipSegment(segment: JournalSegment, error: Error): void {
    this.reportFault(segment.path, error)
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
      for (const folder of await adoptFolders(root, this.folderId, this.self, this.scannedAt, onFault))
        await this.queueFolder(folder)
    } catch (error) {
      // This process's own segments are not affected.
      onFault(error as Error)
    }
    this.report()
  }

  /** Adds the segments of an adopted folder to the queue, except those that only have to be removed. */
  private async queueFolder(folder: string): Promise<void> {
    try {
      const segments = await listSegments(folder)
      const written = segments.filter(({ path }) => this.unremoved.has(path))
      await this.removeFiles(written)
      if (written.length === segments.length) await this.removeEmptyFolder(folder)
      else this.adopted.push(...segments.filter((segment) => !written.includes(segment)))
    } catch (error) {
      this.reportFault(folder, error as Error)
    }
  }

  private async removeFiles(segments: readonly JournalSegment[]): Promise<void> {
    for (const [i, result] of (await Promise.allSettled(segments.map(removeSegment))).entries()) {
      const { path } = segments[i]!
      if (result.status === 'fulfilled') {
        this.unremoved.delete(path)
        this.faulty.delete(path)
      } else {
        this.unremoved.add(path)
        this.reportFault(path, result.reason as Error)
      }
    }
  }

  /** Removes an adopted folder unless it contains segments. */
  private async removeEmptyFolder(folder: string): Promise<void> {
    try {
      if ((await listSegments(folder)).length === 0) await removeFolder(folder)
      this.faulty.delete(folder)
    } catch (error) {
      this.reportFault(folder, error as Error)
    }
  }

  /** Reports the first fault of a file or folder, which is tried again at each scan. */
  private reportFault(path: string, error: Error): void {
    if (!this.faulty.has(path)) this.options.onFault(error)
    this.faulty.add(path)
  }

  private report(): void {
    this.options.onAdopted(this.adopted.reduce((sum, { bytes }) => sum + bytes, 0))
  }
}
