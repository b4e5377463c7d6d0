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

/** Which segments there are. A folder still written to answers differently from moment to moment. */
export interface SegmentSource {
  /** The last segment may still grow. */
  readonly growing: boolean
  /** The segment after this one; null for the last. Once it is a number, this segment has its final size. */
  after(segment: number): number | null
  /** How far this segment may be read now. */
  readableBytes(segment: number): number
  /** Everything before the place is committed, with so many clicks since the last time. */
  consumed(place: JournalPlace, clicks: number): void
}

export interface FolderBatch {
  clicks: Click[]
  /** They may have been given out before, by this reader or by another one. */
  mayRepeat: boolean
  /** It ended where it may be no larger, so there may be more. */
  isFull: boolean
  end: JournalPlace
  torn: number
}

const bufferBytes = 256 * 1024
/** Of lines in a batch: as much as twenty thousand ordinary clicks have. Visitors may send forty times as much with each. */
const mostBatchBytes = 8 * 1024 * 1024
const newline = 10

export class FolderReader {
  private readonly buffer = Buffer.allocUnsafe(bufferBytes)
  /** The stretch of the segment being read that is in the buffer. */
  private bufferStart = 0
  private buffered = 0
  private file: FileHandle | null = null
  /** Where reading goes on; `committed` is where it would begin after a crash. */
  private cursor: JournalPlace
  /** Where the last batch ended that was given out: behind `committed` while batches are under way. */
  private givenOut: JournalPlace
  /** Whether there was damage since then, without a click. */
  private tornSince = 0
  /** The lines of the batch that is being read. */
  private batchBytes = 0

  constructor(
    private readonly folder: string,
    private readonly source: SegmentSource,
    private committed: JournalPlace,
    /** Whoever read this folder before may have come this far. */
    private givenOutBefore: JournalPlace,
    private readonly state: ReaderState,
  ) {
    this.cursor = committed
    this.givenOut = committed
  }

  /** Batches were given out that are not committed. */
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
    // Damage, and the step into a new segment, hold no click: no batch will commit them.
    if (!this.isUnderWay && !isSame(this.cursor, this.committed)) {
      this.givenOut = this.cursor
      this.tornSince = 0
      await this.commit(batch)
    }
    return null
  }

  /** In the order in which the batches were given out. */
  async commit({ clicks, end, torn }: FolderBatch): Promise<void> {
    await writeCheckpoint(this.folder, end)
    const from = this.committed
    this.committed = end
    this.source.consumed(end, clicks.length)
    this.state.addTorn(torn)
    // After the checkpoint: were it last, a crash in between would leave it pointing into nothing.
    for (let passed: number | null = from.segment; passed !== null && passed < end.segment;) {
      await removeSegment(this.folder, passed)
      passed = this.source.after(passed)
    }
  }

  /** Batches that are under way are no longer waited for: what is not committed is read again. */
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
        // Ask before reading: lines could come between the reading and a later question.
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

  /** Only from the end of a segment that has its final size; otherwise there may be more to come. */
  private async enterNextSegment(): Promise<boolean> {
    const { segment } = this.cursor
    const following = this.source.after(segment)
    if (following === null) return false
    // Lines may have come since it was read, before it was finished.
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

  /** Reads on behind what is in the buffer; false when there is nothing, or no room. */
  private async fill(segment: number): Promise<boolean> {
    const from = this.bufferStart + this.buffered
    const room = Math.min(this.buffer.length - this.buffered, this.source.readableBytes(segment) - from)
    if (room <= 0) return false
    try {
      this.file ??= await open(segmentPath(this.folder, segment), 'r')
    } catch (error) {
      // A segment without a single byte has no file. The whole folder gone is another matter, seen at the checkpoint.
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
