/** Appends lines to the numbered segments of one folder. It never throws: it says how much reached the file. */
import { closeSync, fsync, openSync, writeSync } from 'node:fs'

import { segmentPath } from './segments.js'

/** As `fs.writeSync`: returns how many of the bytes were written, which may be fewer than given. */
export type WriteBytes = (fd: number, bytes: Uint8Array) => number

export interface SegmentWriterOptions {
  segmentBytes: number
  /** Forces a finished segment to the disk, in the background. */
  fsyncOnRotation: boolean
  write: WriteBytes
}

export const writeBytes: WriteBytes = (fd, bytes) => writeSync(fd, bytes)

const newline = Buffer.from('\n')

export class SegmentWriter {
  /** The segment that is written to now, and how far it is written. */
  segment = 1
  size = 0
  lastError: NodeJS.ErrnoException | null = null
  private startedAt = 0
  private fd: number | null = null
  /** The sizes of the segments before this one that are not known to be removed, from `earliest` on. */
  private earlier: number[] = []
  private earliest = 1
  private earlierBytes = 0
  /** The file ends within a line, after a write that failed half way. */
  private torn = false

  constructor(
    readonly folder: string,
    private readonly options: SegmentWriterOptions,
  ) {}

  /** All bytes of this segment and the following ones. What is before it is gone, and is never asked for again. */
  bytesFrom(segment: number): number {
    while (this.earliest < segment && this.earlier.length > 0) {
      this.earlierBytes -= this.earlier.shift()!
      this.earliest++
    }
    return this.earlierBytes + this.size
  }

  /** Writes lines; returns how many bytes of them are in the file now. */
  write(lines: Uint8Array, now: number): number {
    if (this.size > 0 && this.size + lines.length > this.options.segmentBytes) this.rotate()
    let written = 0
    try {
      this.fd ??= openSync(segmentPath(this.folder, this.segment), 'a')
      if (this.size === 0) this.startedAt = now
      // The newline ends the torn line, so that only that one is lost.
      if (this.torn) this.writeSome(this.fd, newline)
      while (written < lines.length)
        written += this.writeSome(this.fd, written === 0 ? lines : lines.subarray(written))
    } catch (error) {
      this.lastError = error as NodeJS.ErrnoException
      // The next write opens the file again, because the fault may lie with the descriptor.
      this.closeFile()
    }
    return written
  }

  /** Ends the segment, so that it can be removed once it is consumed. */
  rotate(): void {
    if (this.size === 0) return
    this.closeFile()
    this.earlier.push(this.size)
    this.earlierBytes += this.size
    this.segment++
    this.size = 0
    this.torn = false
  }

  ageMs(now: number): number {
    return this.size === 0 ? 0 : now - this.startedAt
  }

  close(): void {
    this.closeFile()
  }

  private writeSome(fd: number, bytes: Uint8Array): number {
    const count = this.options.write(fd, bytes)
    if (count <= 0) throw new Error('nothing was written')
    this.size += count
    this.torn = bytes[count - 1] !== newline[0]
    return count
  }

  private closeFile(): void {
    const fd = this.fd
    this.fd = null
    if (fd === null) return
    if (this.options.fsyncOnRotation) fsync(fd, () => closeSync(fd))
    else closeSync(fd)
  }
}
