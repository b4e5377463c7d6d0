/**
 * Segments are the numbered files in a journal folder. One process writes a segment and closes it. Then the segment is
 * read as a whole, and removed after its clicks are in the database.
 */
import { closeSync, ftruncateSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { readdir, readFile, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'

import { decodeLines } from './click-line.js'
import type { DecodedLines } from './click-line.js'

/** A closed segment. */
export interface JournalSegment {
  path: string
  bytes: number
}

const segmentName = /^[0-9]{8,15}\.clicks$/

/** Like `fs.writeSync`: returns the number of bytes written, which may be fewer than `bytes` has. */
export type WriteBytes = (fd: number, bytes: Uint8Array) => number

export const writeBytes: WriteBytes = (fd, bytes) => writeSync(fd, bytes)

/** A segment that is open for writing. */
export class OpenSegment {
  readonly path: string
  bytes = 0
  clicks = 0
  private readonly fd: number

  constructor(
    folder: string,
    number: number,
    readonly openedAt: number,
    private readonly writeBytes: WriteBytes,
  ) {
    this.path = join(folder, `${String(number).padStart(8, '0')}.clicks`)
    this.fd = openSync(this.path, 'ax', 0o600)
  }

  /** Appends all lines to the file, or none and throws. */
  write(lines: Uint8Array, clicks: number): void {
    try {
      for (let written = 0; written < lines.length;) {
        const count = this.writeBytes(this.fd, lines.subarray(written))
        if (count <= 0) throw new Error('The disk accepted no data.')
        written += count
      }
    } catch (error) {
      // Truncates the partial write, so that all lines are complete and no unacknowledged click is counted.
      ftruncateSync(this.fd, this.bytes)
      throw error
    }
    this.bytes += lines.length
    this.clicks += clicks
  }

  /** Closes the file, and removes it if it is empty. */
  close(): void {
    try {
      closeSync(this.fd)
      if (this.bytes === 0) unlinkSync(this.path)
    } catch {
      // All acknowledged lines were written. A network disk that fails here also fails at the next write.
    }
  }
}

/** Returns the segments of an adopted folder, oldest first. Empty if another process has adopted the folder. */
export async function listSegments(folder: string): Promise<JournalSegment[]> {
  try {
    const names = (await readdir(folder)).filter((name) => segmentName.test(name))
    const paths = names.sort((a, b) => parseInt(a) - parseInt(b)).map((name) => join(folder, name))
    return await Promise.all(paths.map(async (path) => ({ path, bytes: (await stat(path)).size })))
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** Reads a segment. A missing file counts as empty: another process adopted its folder and reads it there. */
export async function readSegment({ path }: JournalSegment): Promise<DecodedLines> {
  try {
    return decodeLines(await readFile(path))
  } catch (error) {
    if (isMissing(error)) return { clicks: [], torn: 0 }
    throw error
  }
}

export async function removeSegment({ path }: JournalSegment): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}
