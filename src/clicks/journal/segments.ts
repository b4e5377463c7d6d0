/** The files of a journal's folder: numbered segments, and a checkpoint that says how far they are consumed. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { readdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const segmentName = /^([0-9]{8,15})\.clicks$/
const checkpointName = 'checkpoint.json'
const newline = Buffer.from('\n')

/** A place between two lines. */
export interface JournalPlace {
  segment: number
  offset: number
}

export function segmentPath(folder: string, segment: number): string {
  return join(folder, `${String(segment).padStart(8, '0')}.clicks`)
}

export async function listSegments(folder: string): Promise<number[]> {
  const numbers = (await readdir(folder)).map((name) => Number(segmentName.exec(name)?.[1] ?? NaN))
  return numbers.filter((number) => !Number.isNaN(number)).sort((a, b) => a - b)
}

export async function fileSize(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (isMissing(error)) return 0
    throw error
  }
}

export async function removeSegment(folder: string, segment: number): Promise<void> {
  try {
    await unlink(segmentPath(folder, segment))
  } catch (error) {
    // A segment without a single byte has no file.
    if (!isMissing(error)) throw error
  }
}

/** Replaces the checkpoint in one step: a reader finds the old one or the new one, never a part. */
export async function writeCheckpoint(folder: string, place: JournalPlace): Promise<void> {
  const path = join(folder, checkpointName)
  await writeFile(`${path}.new`, JSON.stringify(place))
  await rename(`${path}.new`, path)
}

/** Null when the checkpoint is missing or damaged. Reading then begins at the oldest segment, and repeats clicks. */
export async function readCheckpoint(folder: string): Promise<JournalPlace | null> {
  try {
    const { segment, offset } = JSON.parse(
      await readFile(join(folder, checkpointName), 'utf8'),
    ) as JournalPlace
    return Number.isSafeInteger(segment) && Number.isSafeInteger(offset) && offset >= 0
      ? { segment, offset }
      : null
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError || error instanceof TypeError) return null
    throw error
  }
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

/** Like `fs.writeSync`, returns how many of the bytes were written, which may be fewer than given. */
export type WriteBytes = (fd: number, bytes: Uint8Array) => number

export interface SegmentWriterOptions {
  segmentBytes: number
  write: WriteBytes
}

export const writeBytes: WriteBytes = (fd, bytes) => writeSync(fd, bytes)

/** Appends lines to the numbered segments of one folder. It never throws: it says how much reached the file. */
export class SegmentWriter {
  /** The segment that is written to now, and how far it is written. */
  segment = 1
  size = 0
  lastError: NodeJS.ErrnoException | null = null
  private startedAt = 0
  private fd: number | null = null
  /** The sizes of earlier segments, from `earliest` on, that are not known to be removed. */
  private earlier: number[] = []
  private earliest = 1
  private earlierBytes = 0
  /** The file ends within a line, after a write that failed half way. */
  private torn = false

  constructor(
    readonly folder: string,
    private readonly options: SegmentWriterOptions,
  ) {}

  /** The bytes of this segment and all later ones. Forgets earlier sizes, because those segments are removed. */
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
      this.close()
    }
    return written
  }

  /** Ends the segment, so that it can be removed once it is consumed. */
  rotate(): void {
    if (this.size === 0) return
    this.close()
    this.earlier.push(this.size)
    this.earlierBytes += this.size
    this.segment++
    this.size = 0
    this.torn = false
  }

  ageMs(now: number): number {
    return this.size === 0 ? 0 : now - this.startedAt
  }

  private writeSome(fd: number, bytes: Uint8Array): number {
    const count = this.options.write(fd, bytes)
    if (count <= 0) throw new Error('nothing was written')
    this.size += count
    this.torn = bytes[count - 1] !== newline[0]
    return count
  }

  close(): void {
    const fd = this.fd
    this.fd = null
    if (fd === null) return
    try {
      closeSync(fd)
    } catch (error) {
      // Some network disks only say here that they are full.
      this.lastError = error as NodeJS.ErrnoException
    }
  }
}
