/**
 * Segments are the numbered files of a journal's folder. Each is written by one process, closed, read as a whole, and
 * removed once its clicks are in the database.
 */
import { closeSync, ftruncateSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { readdir, readFile, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'

import { decodeClick } from './click-line.js'
import type { Click } from './click-line.js'

/** A closed segment. */
export interface JournalSegment {
  path: string
  bytes: number
}

export interface DecodedLines {
  clicks: Click[]
  /** How many lines a crash or a disk fault made unreadable. */
  torn: number
}

const segmentName = /^[0-9]{8,15}\.clicks$/

/** Like `fs.writeSync`: returns how many of the bytes were written, which may be fewer than given. */
export type WriteBytes = (fd: number, bytes: Uint8Array) => number

export const writeBytes: WriteBytes = (fd, bytes) => writeSync(fd, bytes)

/** The segment that is being written. */
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

  /** Throws unless all lines are in the file. */
  write(lines: Uint8Array, clicks: number): void {
    try {
      for (let written = 0; written < lines.length;) {
        const count = this.writeBytes(this.fd, lines.subarray(written))
        if (count <= 0) throw new Error('The disk took no bytes.')
        written += count
      }
    } catch (error) {
      // Truncates the partial write, so that every line is complete and no click without a response is counted.
      ftruncateSync(this.fd, this.bytes)
      throw error
    }
    this.bytes += lines.length
    this.clicks += clicks
  }

  /** Also removes the file if nothing was written to it. */
  close(): void {
    try {
      closeSync(this.fd)
      if (this.bytes === 0) unlinkSync(this.path)
    } catch {
      // All lines that were acknowledged are written. What a network disk reports here can be reported at its next write.
    }
  }
}

/** The segments of a folder that nobody writes to any more, oldest first. None if another process adopted the folder. */
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

/** A segment that no longer exists has no clicks: another process adopted its folder, and reads it there. */
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

export function decodeLines(bytes: Uint8Array): DecodedLines {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1').split('\n')
  const clicks: Click[] = []
  let torn = 0
  for (const line of lines) {
    if (line === '') continue
    const click = decodeClick(line)
    if (click) clicks.push(click)
    else torn++
  }
  return { clicks, torn }
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}
