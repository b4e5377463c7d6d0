/** The folder that this process writes to. Its reader follows the segment that is being written, by the progress. */
import { FolderProgress } from './folder-progress.js'
import { type Owner, makeFolder, releaseFolder } from './folders.js'
import { SegmentWriter } from './segments.js'
import type { SegmentWriterOptions } from './segments.js'

/** What a reader in another thread needs of it. */
export interface SharedFolder {
  id: string
  path: string
  progress: SharedArrayBuffer
}

export class OwnFolder {
  readonly path: string
  readonly progress = new FolderProgress()
  /** Clicks written here. */
  written = 0
  private readonly writer: SegmentWriter

  constructor(
    root: string,
    readonly id: string,
    owner: Owner,
    options: SegmentWriterOptions,
  ) {
    this.path = makeFolder(root, id, owner)
    this.writer = new SegmentWriter(this.path, options)
  }

  get shared(): SharedFolder {
    return { id: this.id, path: this.path, progress: this.progress.shared }
  }

  get lastError(): NodeJS.ErrnoException | null {
    return this.writer.lastError
  }

  /** All bytes that lie here, without the segments that were consumed and removed. */
  get bytes(): number {
    return this.writer.bytesFrom(this.progress.consumed.segment)
  }

  get pendingBytes(): number {
    const { segment, offset } = this.progress.consumed
    return Math.max(0, this.writer.bytesFrom(segment) - offset)
  }

  get pendingClicks(): number {
    // The count alone may be behind for good: a reader that dies may have committed and not counted.
    return this.progress.isDrained ? 0 : Math.max(0, this.written - this.progress.committedClicks)
  }

  /** Writes lines; returns how many bytes of them are in the file now. */
  write(lines: Uint8Array, now: number): number {
    const written = this.writer.write(lines, now)
    this.progress.wrote(this.writer.segment, this.writer.size)
    return written
  }

  /** Ends a segment of this age of which everything is consumed, for the reader to remove; false when there is none. */
  rotateIfConsumed(now: number, afterMs: number): boolean {
    if (this.writer.ageMs(now) < afterMs || !this.progress.isDrained) return false
    this.writer.rotate()
    this.progress.wrote(this.writer.segment, this.writer.size)
    return true
  }

  /** Gives the folder up. Another process will adopt it. */
  abandon(): void {
    this.writer.close()
    releaseFolder(this.path)
  }
}
