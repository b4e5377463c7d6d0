/**
 * The folder that this process writes to, and its progress: what the thread that writes and the one that reads know of each
 * other, in memory that both see. By it the reader follows the segment that is being written.
 */
import { type Owner, makeFolder, releaseFolder } from './folders.js'
import { type JournalPlace, SegmentWriter, type SegmentWriterOptions } from './segments.js'

/** What a reader in another thread needs of it. */
export interface SharedFolder {
  id: string
  path: string
  progress: SharedArrayBuffer
}

export class OwnFolder {
  readonly path: string
  readonly progress = new FolderProgress()
  /** Clicks written here. */
  written = 0
  private readonly writer: SegmentWriter

  constructor(
    root: string,
    readonly id: string,
    owner: Owner,
    options: SegmentWriterOptions,
  ) {
    this.path = makeFolder(root, id, owner)
    this.writer = new SegmentWriter(this.path, options)
  }

  get shared(): SharedFolder {
    return { id: this.id, path: this.path, progress: this.progress.shared }
  }

  get lastError(): NodeJS.ErrnoException | null {
    return this.writer.lastError
  }

  /** All bytes that lie here, without the segments that were consumed and removed. */
  get bytes(): number {
    return this.writer.bytesFrom(this.progress.consumed.segment)
  }

  get pendingBytes(): number {
    const { segment, offset } = this.progress.consumed
    return Math.max(0, this.writer.bytesFrom(segment) - offset)
  }

  get pendingClicks(): number {
    // The count alone may be behind for good: a reader that dies may have committed and not counted.
    return this.progress.isDrained ? 0 : Math.max(0, this.written - this.progress.committedClicks)
  }

  /** Writes lines; returns how many bytes of them are in the file now. */
  write(lines: Uint8Array, now: number): number {
    const written = this.writer.write(lines, now)
    this.progress.wrote(this.writer.segment, this.writer.size)
    return written
  }

  /** Ends a segment of this age of which everything is consumed, for the reader to remove; false when there is none. */
  rotateIfConsumed(now: number, afterMs: number): boolean {
    if (this.writer.ageMs(now) < afterMs || !this.progress.isDrained) return false
    this.writer.rotate()
    this.progress.wrote(this.writer.segment, this.writer.size)
    return true
  }

  /** Gives the folder up. Another process will adopt it. */
  abandon(): void {
    this.writer.close()
    releaseFolder(this.path)
  }
}

const orphanedBytes = 0
const tornLines = 1
const oldestSeen = 2

/** What the reader knows and the writer reports. It outlives the reader. */
export class ReaderState {
  private readonly numbers: BigInt64Array

  constructor(readonly shared = new SharedArrayBuffer(3 * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.numbers = new BigInt64Array(shared)
  }

  /** What others left behind and was not consumed yet. */
  get orphanedBytes(): number {
    return Number(Atomics.load(this.numbers, orphanedBytes))
  }

  set orphanedBytes(bytes: number) {
    Atomics.store(this.numbers, orphanedBytes, BigInt(bytes))
  }

  /** Lines that were not whole, among what has been committed. */
  get torn(): number {
    return Number(Atomics.load(this.numbers, tornLines))
  }

  addTorn(lines: number): void {
    if (lines > 0) Atomics.add(this.numbers, tornLines, BigInt(lines))
  }

  /** The moment of the oldest click that was read and not committed. */
  get oldestSeen(): number | null {
    return Number(Atomics.load(this.numbers, oldestSeen)) || null
  }

  set oldestSeen(time: number | null) {
    Atomics.store(this.numbers, oldestSeen, BigInt(time ?? 0))
  }
}

// Int32: the segment that is written to and its size, the segment that is read and the offset in it.
const writtenSegment = 0
const writtenSize = 1
const consumedSegment = 2
const consumedOffset = 3
// Int64, behind those.
const consumedClicks = 0
const int32Bytes = 4 * Int32Array.BYTES_PER_ELEMENT

/**
 * How far a folder is written and how far it is consumed. Each number has one writer, and the order of the stores is what
 * makes them safe to read one by one.
 */
export class FolderProgress {
  private readonly places: Int32Array
  private readonly counts: BigInt64Array

  constructor(readonly shared = FolderProgress.begin()) {
    this.places = new Int32Array(shared, 0, 4)
    this.counts = new BigInt64Array(shared, int32Bytes, 1)
  }

  private static begin(): SharedArrayBuffer {
    const shared = new SharedArrayBuffer(int32Bytes + BigInt64Array.BYTES_PER_ELEMENT)
    const places = new Int32Array(shared, 0, 4)
    places[writtenSegment] = 1
    places[consumedSegment] = 1
    return shared
  }

  get segment(): number {
    return Atomics.load(this.places, writtenSegment)
  }

  get size(): number {
    return Atomics.load(this.places, writtenSize)
  }

  /** The segment goes first, so that its offset is never taken for that of the one before. */
  get consumed(): JournalPlace {
    const segment = Atomics.load(this.places, consumedSegment)
    return { segment, offset: Atomics.load(this.places, consumedOffset) }
  }

  get committedClicks(): number {
    return Number(Atomics.load(this.counts, consumedClicks))
  }

  /** All that was written is consumed. */
  get isDrained(): boolean {
    return (
      Atomics.load(this.places, consumedSegment) === Atomics.load(this.places, writtenSegment) &&
      Atomics.load(this.places, consumedOffset) === Atomics.load(this.places, writtenSize)
    )
  }

  /** A new segment shows its number only when its size is no longer that of the one before. */
  wrote(segment: number, size: number): void {
    if (segment !== this.segment) {
      Atomics.store(this.places, writtenSize, 0)
      Atomics.store(this.places, writtenSegment, segment)
    }
    Atomics.store(this.places, writtenSize, size)
  }

  consume({ segment, offset }: JournalPlace, clicks: number): void {
    if (segment !== Atomics.load(this.places, consumedSegment)) {
      Atomics.store(this.places, consumedOffset, 0)
      Atomics.store(this.places, consumedSegment, segment)
    }
    Atomics.store(this.places, consumedOffset, offset)
    Atomics.add(this.counts, consumedClicks, BigInt(clicks))
  }
}
