/** What processes that are gone left behind: taken over, read folder by folder, and removed when empty. */
import { readFinishedFolder, bytesOf } from './finished-folder.js'
import type { FolderBatch, FolderReader } from './folder-reader.js'
import { adoptFolders, removeFolder } from './folders.js'
import type { Owner } from './owner.js'
import { isMissing } from './segments.js'

/** The sooner this is, the sooner a dead neighbour's clicks are counted; each look costs a few file operations. */
const lookEveryMs = 30_000

interface Leftover {
  folder: string
  bytes: number
  /** Opened when its turn comes: there may be many folders, and a reader has a buffer. */
  reader: FolderReader | null
}

export interface LeftoverBatch extends FolderBatch {
  leftover: Leftover
}

export class Leftovers {
  torn = 0
  private queue: Leftover[] = []
  private lookedAt = -Infinity

  constructor(
    private readonly root: string,
    private readonly self: Owner,
  ) {}

  get pendingBytes(): number {
    if (this.queue.length === 0) return 0
    return this.queue.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  isLookDue(now: number): boolean {
    return now - this.lookedAt >= lookEveryMs
  }

  lookSoon(): void {
    this.lookedAt = -Infinity
  }

  /** Takes over what has been left since the last look. */
  async look(adopterId: string, now: number): Promise<void> {
    if (!this.isLookDue(now)) return
    this.lookedAt = now
    for (const folder of await adoptFolders(this.root, adopterId, this.self, now))
      this.queue.push({ folder, bytes: await bytesOf(folder).catch(() => 0), reader: null })
  }

  /**
   * The next clicks of the oldest folder; null when all folders are done. A folder that cannot be read goes to the
   * end, and the error to the caller: it must stop neither the other folders nor the clicks of today.
   */
  async next(limit: number): Promise<LeftoverBatch | null> {
    for (let leftover = this.queue[0]; leftover; leftover = this.queue[0])
      try {
        leftover.reader ??= await readFinishedFolder(leftover.folder)
        const batch = await leftover.reader.next(limit)
        leftover.bytes = leftover.reader.pendingBytes
        if (batch) return { ...batch, leftover }
        await this.drop(leftover)
        await removeFolder(leftover.folder)
      } catch (error) {
        await this.drop(leftover)
        if (isMissing(error)) continue
        this.queue.push({ ...leftover, reader: null })
        throw error
      }
    return null
  }

  async commit(batch: LeftoverBatch): Promise<void> {
    const { leftover } = batch
    try {
      await leftover.reader?.commit(batch)
      leftover.bytes = leftover.reader?.pendingBytes ?? 0
    } catch (error) {
      if (!isMissing(error)) throw error
      // Taken over while this process slept: the new owner reads these clicks again, and the database knows them.
      await this.drop(leftover)
    }
  }

  async close(): Promise<void> {
    for (const leftover of [...this.queue]) await this.drop(leftover)
  }

  private async drop(leftover: Leftover): Promise<void> {
    this.queue = this.queue.filter((other) => other !== leftover)
    this.torn += leftover.reader?.torn ?? 0
    await leftover.reader?.close()
    leftover.reader = null
  }
}
