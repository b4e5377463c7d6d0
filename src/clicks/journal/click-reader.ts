/**
 * The reading end of the journal, for one consumer: what dead processes left first, then the clicks of this one.
 * `next` repeats itself until its position is committed; after a crash between the consumer's own commit and this one
 * the batch comes again, and the click ids say so.
 */
import type { Click } from './click.js'
import type { FolderBatch } from './folder-reader.js'
import type { Leftovers, LeftoverBatch } from './leftovers.js'
import type { OwnFolder } from './own-folder.js'
import { isMissing } from './segments.js'

/** Where a batch ends. Only for handing back to `commit`. */
export interface Position {
  readonly batch: FolderBatch | LeftoverBatch
  readonly own: OwnFolder
}

export interface ClickBatch {
  clicks: Click[]
  position: Position
}

/** A consumed segment goes after this time also when it is not full: it holds visitors' addresses. */
export const rotateAfterMs = 60_000

export class ClickReader {
  /** The moment of the oldest click that was seen and not committed. */
  oldestSeen: number | null = null
  private own: OwnFolder
  private retired: OwnFolder[] = []
  private tornBefore = 0

  constructor(
    private readonly currentFolder: () => OwnFolder,
    private readonly leftovers: Leftovers,
    private readonly now: () => number,
    private readonly onFault: (error: Error) => void,
  ) {
    this.own = currentFolder()
  }

  get torn(): number {
    return this.tornBefore + this.own.reader.torn + this.leftovers.torn
  }

  /** Up to `limit` clicks, oldest first; null when there are none now. */
  async next(limit: number): Promise<ClickBatch | null> {
    await this.followRenewal()
    const batch = (await this.nextLeftover(limit)) ?? (await this.nextOwn(limit))
    this.oldestSeen = batch?.clicks[0]?.time ?? null
    return batch && { clicks: batch.clicks, position: { batch, own: this.own } }
  }

  /** Says that everything up to here is safe elsewhere: it is not read again, and its files go. */
  async commit(position: Position): Promise<void> {
    const { batch, own } = position
    if ('leftover' in batch) return this.leftovers.commit(batch)
    try {
      await own.reader.commit(batch)
      own.committed += batch.clicks.length
    } catch (error) {
      // The folder was given up while the batch was on its way; whoever has it now reads the batch again.
      if (!isMissing(error) || own === this.currentFolder()) throw error
    }
  }

  async close(): Promise<void> {
    await this.followRenewal()
    await this.own.reader.close()
    await this.leftovers.close()
  }

  /** A fault with what others left must not stop the clicks of today. */
  private async nextLeftover(limit: number): Promise<LeftoverBatch | null> {
    try {
      await this.leftovers.look(this.own.id, this.now())
      return await this.leftovers.next(limit)
    } catch (error) {
      this.onFault(error as Error)
      return null
    }
  }

  private async nextOwn(limit: number): Promise<FolderBatch | null> {
    const { reader, writer } = this.own
    const batch = await reader.next(limit)
    if (batch || reader.pendingBytes > 0 || writer.ageMs(this.now()) < rotateAfterMs) return batch
    writer.rotate()
    return reader.next(limit)
  }

  private async followRenewal(): Promise<void> {
    const current = this.currentFolder()
    if (current !== this.own) {
      this.retired.push(this.own)
      this.own = current
    }
    for (const { reader } of this.retired.splice(0)) {
      this.tornBefore += reader.torn
      await reader.close()
    }
  }
}
