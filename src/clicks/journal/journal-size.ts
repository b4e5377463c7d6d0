/** Counts the clicks that are in journals, and may not be in the database yet. */
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { listJournals } from './folders.js'
import { isMissing } from './segments.js'

const newline = 0x0a

export interface JournalSize {
  clicks: number
  bytes: number
}

/** Returns 0 if there are no journals. Segments that are removed while they are counted are in the database. */
export async function measureJournals(root: string): Promise<JournalSize> {
  const size = { clicks: 0, bytes: 0 }
  for (const { path } of await unlessMissing(() => listJournals(root), []))
    for (const name of await unlessMissing(() => readdir(path), [])) {
      if (!name.endsWith('.clicks')) continue
      const file = join(path, name)
      const bytes = await unlessMissing(async () => (await stat(file)).size, 0)
      size.clicks += await unlessMissing(() => countLines(file), 0)
      size.bytes += bytes
    }
  return size
}

async function unlessMissing<T>(read: () => Promise<T>, ifMissing: T): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (isMissing(error)) return ifMissing
    throw error
  }
}

async function countLines(file: string): Promise<number> {
  let lines = 0
  for await (const chunk of createReadStream(file))
    for (const byte of chunk as Buffer) if (byte === newline) lines++
  return lines
}
