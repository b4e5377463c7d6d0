/**
 * Reads one folder of segments from its checkpoint on, ahead of what is committed: several batches may be under way at
 * once. They are committed in their order; a segment is removed only when everything in it was committed. `rewind`
 * goes back to the last commit, after which the same clicks come again.
 */
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'

import type { Click } from './click-line.js'
import { decodeClick } from './click-line.js'
import type { ReaderState } from './own-folder.js'
import { isMissing, removeSegment, segmentPath, writeCheckpoint } from './segments.js'
import type { JournalPlace } from './segments.js'

/** The segments of a folder. While the folder is written to, the answers change from moment to moment. */
export interface SegmentSource {
  /** Whether the last segment may still grow. */
  readonly growing: boolean
  /** The segment after this one; null for the last. Once it is a number, this segment has its final size. */
  after(segment: number): number | null
  /** The offset up to which this segment may be read now. */
  readableBytes(segment: number): number
  /** Called at each commit: everything before `place` is committed, with this many clicks more than the last time. */
  consumed(place: JournalPlace, clicks: number): void
}

export interface FolderBatch {
  clicks: Click[]
  /** The clicks may have been handed out before, by this reader or by an earlier one. */
  mayRepeat: boolean
  /** The batch ended because it reached its largest size, so there may be more clicks. */
  isFull: boolean
  end: JournalPlace
  torn: number
}

const bufferBytes = 256 * 1024
/**
 * A batch has about this many bytes of lines at most, as 20,000 ordinary clicks have. A visitor can make the line of a
 * click forty times as long.
 */
const mostBatchBytes = 8 * 1024 * 1024
const newline = 10

export class FolderReader {
  private readonly buffer = Buffer.allocUnsafe(bufferBytes)
  /** The part of the segment that is in the buffer: where it begins, and how long it is. */
  private bufferStart = 0
  private buffered = 0
  private file: FileHandle | null = null
  /** Where reading goes on; `committed` is where it would begin after a crash. */
  private cursor: JournalPlace
  /** The end of the last batch that was handed out. It is ahead of `committed` while batches are being written. */
  private givenOut: JournalPlace
  /** How many torn lines were read that no batch has reported yet. */
  private tornSince = 0
  /** The bytes of lines in the batch that is being read. */
  private batchBytes = 0

  constructor(
    private readonly folder: string,
    private readonly source: SegmentSource,
    private committed: JournalPlace,
    /** An earlier reader may have handed out everything before this place. */
    private givenOutBefore: JournalPlace,
    private readonly state: ReaderState,
  ) {
    this.cursor = committed
    this.givenOut = committed
  }

  /** Whether batches were handed out that are not committed yet. */
  get isUnderWay(): boolean {
    return !isSame(this.givenOut, this.committed)
  }

  /** Up to `limit` clicks; null when there is nothing to read now. */
  async next(limit: number): Promise<FolderBatch | null> {
    const clicks: Click[] = []
    const mayRepeat = isBefore(this.cursor, this.givenOutBefore)
    this.batchBytes = 0
    const isFull = () => clicks.length >= limit || this.batchBytes >= mostBatchBytes
    do await this.readSegment(clicks, isFull)
    while (!isFull() && (await this.enterNextSegment()))
    const batch = { clicks, mayRepeat, isFull: isFull(), end: this.cursor, torn: this.tornSince }
    if (clicks.length > 0) {
      this.givenOut = this.cursor
      this.tornSince = 0
      return batch
    }
    // Torn lines and the step into a new segment hold no click, so no batch would commit them.
    if (!this.isUnderWay && !isSame(this.cursor, this.committed)) {
      this.givenOut = this.cursor
      this.tornSince = 0
      await this.commit(batch)
    }
    return null
  }

  /** Must be called in the order in which the batches were handed out. */
  async commit({ clicks, end, torn }: FolderBatch): Promise<void> {
    await writeCheckpoint(this.folder, end)
    const from = this.committed
    this.committed = end
    this.source.consumed(end, clicks.length)
    this.state.addTorn(torn)
    // Segments are removed after the checkpoint is written. In the other order a crash in between would leave a
    // checkpoint in a segment that is gone.
    for (let passed: number | null = from.segment; passed !== null && passed < end.segment;) {
      await removeSegment(this.folder, passed)
      passed = this.source.after(passed)
    }
  }

  /** Gives up the batches that are under way. Everything that is not committed is read again. */
  async rewind(): Promise<void> {
    await this.close()
    if (isBefore(this.givenOutBefore, this.givenOut)) this.givenOutBefore = this.givenOut
    this.cursor = this.committed
    this.givenOut = this.committed
    this.tornSince = 0
    this.emptyBuffer(this.committed.offset)
  }

  async close(): Promise<void> {
    const file = this.file
    this.file = null
    await file?.close()
  }

  private async readSegment(clicks: Click[], isFull: () => boolean): Promise<void> {
    const { segment, offset } = this.cursor
    if (offset < this.bufferStart || offset > this.bufferStart + this.buffered) this.emptyBuffer(offset)
    let at = offset - this.bufferStart
    while (!isFull()) {
      const end = this.buffer.indexOf(newline, at)
      if (end < 0 || end >= this.buffered) {
        const rest = this.buffered - at
        this.dropBefore(at)
        at = 0
        // Ask before the read: an answer after it could be true because of lines that the read has not seen.
        const isFinished = this.isFinished(segment)
        if (await this.fill(segment)) continue
        const tooLong = rest === this.buffer.length
        if (rest > 0 && (isFinished || tooLong)) {
          this.tornSince++
          at = rest
          if (tooLong) continue
        }
        break
      }
      if (end > at) {
        const click = decodeClick(this.buffer.toString('latin1', at, end))
        if (click) clicks.push(click)
        else this.tornSince++
      }
      this.batchBytes += end - at
      at = end + 1
    }
    this.cursor = { segment, offset: this.bufferStart + at }
  }

  /** Moves on from the end of a segment that has its final size. True when there is more to read, here or there. */
  private async enterNextSegment(): Promise<boolean> {
    const { segment } = this.cursor
    const following = this.source.after(segment)
    if (following === null) return false
    // Lines may have been written after the last read and before the segment was finished.
    if (await this.fill(segment)) return true
    if (this.bufferStart + this.buffered > this.cursor.offset) return true
    await this.close()
    this.cursor = { segment: following, offset: 0 }
    this.emptyBuffer(0)
    return true
  }

  private isFinished(segment: number): boolean {
    return !this.source.growing || this.source.after(segment) !== null
  }

  /** Reads what follows the bytes in the buffer. False when nothing follows, or the buffer has no room. */
  private async fill(segment: number): Promise<boolean> {
    const from = this.bufferStart + this.buffered
    const room = Math.min(this.buffer.length - this.buffered, this.source.readableBytes(segment) - from)
    if (room <= 0) return false
    try {
      this.file ??= await open(segmentPath(this.folder, segment), 'r')
    } catch (error) {
      // A segment without a single byte has no file. If the whole folder is gone, writing the checkpoint will fail.
      if (isMissing(error)) return false
      throw error
    }
    const { bytesRead } = await this.file.read(this.buffer, this.buffered, room, from)
    this.buffered += bytesRead
    return bytesRead > 0
  }

  private dropBefore(at: number): void {
    this.buffer.copyWithin(0, at, this.buffered)
    this.bufferStart += at
    this.buffered -= at
  }

  private emptyBuffer(offset: number): void {
    this.bufferStart = offset
    this.buffered = 0
  }
}

function isBefore(one: JournalPlace, other: JournalPlace): boolean {
  return one.segment < other.segment || (one.segment === other.segment && one.offset < other.offset)
}

function isSame(one: JournalPlace, other: JournalPlace): boolean {
  return one.segment === other.segment && one.offset === other.offset
}
