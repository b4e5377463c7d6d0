/**
 * Reads one folder of segments from its checkpoint on. Until a batch is committed, `next` gives the same clicks again;
 * a segment is removed only when everything in it was committed.
 */
import { open, unlink } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'

import type { Click } from './click.js'
import { decodeClick } from './click-line.js'
import { fileSize, isMissing, segmentPath, writeCheckpoint } from './segments.js'
import type { Place } from './segments.js'

/** Which segments there are. A folder still written to answers differently from moment to moment. */
export interface SegmentSource {
  /** All bytes of the segments that are not removed. */
  readonly bytes: number
  /** The last segment may still grow. */
  readonly growing: boolean
  /** The segment after this one; null for the last. Once it is a number, this segment has its final size. */
  after(segment: number): number | null
  /** How far this segment may be read now. */
  readableBytes(segment: number): number
  removed(bytes: number): void
}

export interface FolderBatch {
  clicks: Click[]
  end: Place
  torn: number
}

const bufferBytes = 256 * 1024
const newline = 10

export class FolderReader {
  /** Lines that were not whole, among what has been committed. */
  torn = 0
  private buffer = Buffer.allocUnsafe(bufferBytes)
  /** The stretch of the present segment that is in the buffer. */
  private bufferStart = 0
  private buffered = 0
  private file: FileHandle | null = null

  constructor(
    private readonly folder: string,
    private readonly source: SegmentSource,
    private place: Place,
  ) {}

  get pendingBytes(): number {
    return Math.max(0, this.source.bytes - this.place.offset)
  }

  /** Up to `limit` clicks of one segment; null when there is nothing to read now. */
  async next(limit: number): Promise<FolderBatch | null> {
    for (;;) {
      await this.passFinishedSegments()
      const batch = await this.read(limit)
      if (batch.clicks.length > 0) return batch
      // Damage with no click in it is nobody's to commit.
      if (batch.end.offset > this.place.offset) await this.commit(batch)
      else return null
    }
  }

  async commit(batch: Pick<FolderBatch, 'end' | 'torn'>): Promise<void> {
    await writeCheckpoint(this.folder, batch.end)
    this.torn += batch.torn
    this.place = batch.end
    await this.passFinishedSegments()
  }

  async close(): Promise<void> {
    const file = this.file
    this.file = null
    await file?.close()
  }

  private async read(limit: number): Promise<FolderBatch> {
    const { segment, offset } = this.place
    if (offset < this.bufferStart || offset > this.bufferStart + this.buffered) this.emptyBuffer(offset)
    const clicks: Click[] = []
    let torn = 0
    let at = offset - this.bufferStart
    while (clicks.length < limit) {
      const end = this.buffer.subarray(0, this.buffered).indexOf(newline, at)
      if (end < 0) {
        const rest = this.buffered - at
        this.dropBefore(at)
        at = 0
        // Asked before the reading: asked after it, the last lines might have come in between.
        const noMoreWillCome = !this.source.growing || this.source.after(segment) !== null
        if (await this.fill(segment)) continue
        const tooLong = rest === this.buffer.length
        if (rest > 0 && (noMoreWillCome || tooLong)) {
          torn++
          at = rest
          if (tooLong) continue
        }
        break
      }
      if (end > at) {
        const click = decodeClick(this.buffer.toString('latin1', at, end))
        if (click) clicks.push(click)
        else torn++
      }
      at = end + 1
    }
    return { clicks, end: { segment, offset: this.bufferStart + at }, torn }
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

  /** Moves over segments of which everything is committed, and removes them. */
  private async passFinishedSegments(): Promise<void> {
    for (;;) {
      const { segment, offset } = this.place
      const following = this.source.after(segment)
      if (following === null) return
      const path = segmentPath(this.folder, segment)
      const size = await fileSize(path)
      if (offset < size) return
      // First the checkpoint: were it last, a crash in between would leave it pointing into nothing.
      const next = { segment: following, offset: 0 }
      await writeCheckpoint(this.folder, next)
      await this.close()
      this.place = next
      this.emptyBuffer(0)
      await unlink(path).catch((error: unknown) => {
        if (!isMissing(error)) throw error
      })
      this.source.removed(size)
    }
  }
}
