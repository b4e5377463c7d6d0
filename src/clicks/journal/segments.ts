/** The files of a journal's folder: numbered segments and, beside them, how far they have been consumed. */
import { readFile, readdir, rename, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const segmentName = /^([0-9]{8,15})\.clicks$/
const checkpointName = 'checkpoint.json'

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

/** Null where there is none or where it is damaged: reading then begins at the oldest segment, and repeats clicks. */
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
