/**
 * The folder that this process writes its clicks to. The writing thread and the reading thread share its progress in
 * memory, so that the reader can follow the segment that is being written.
 */
import { type Owner, makeFolder, releaseFolder } from './folders.js'
import { type JournalPlace, SegmentWriter, type SegmentWriterOptions } from './segments.js'

/** What a reader in another thread needs to open the folder. */
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

  /** The bytes on disk. Segments that were consumed and removed are not in them. */
  get bytes(): number {
    return this.writer.bytesFrom(this.progress.consumed.segment)
  }

  get pendingBytes(): number {
    const { segment, offset } = this.progress.consumed
    return Math.max(0, this.writer.bytesFrom(segment) - offset)
  }

  get pendingClicks(): number {
    // `committedClicks` alone may stay too low for good: a reader may die after its commit and before it counts.
    return this.progress.isDrained ? 0 : Math.max(0, this.written - this.progress.committedClicks)
  }

  /** Writes lines; returns how many bytes of them are in the file now. */
  write(lines: Uint8Array, now: number): number {
    const written = this.writer.write(lines, now)
    this.progress.wrote(this.writer.segment, this.writer.size)
    return written
  }

  /** Ends the open segment if it is this old and fully consumed, so that the reader removes it. False otherwise. */
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

/** Figures that the reader keeps and the writing thread reports. They are in memory that outlives the reader. */
export class ReaderState {
  private readonly numbers: BigInt64Array

  constructor(readonly shared = new SharedArrayBuffer(3 * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.numbers = new BigInt64Array(shared)
  }

  /** The bytes in orphaned folders that are not consumed yet. */
  get orphanedBytes(): number {
    return Number(Atomics.load(this.numbers, orphanedBytes))
  }

  set orphanedBytes(bytes: number) {
    Atomics.store(this.numbers, orphanedBytes, BigInt(bytes))
  }

  /** How many of the committed lines were not whole, so that they held no click. */
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

// The Int32 part: the segment that is written and its size, the segment that is consumed and the offset in it.
const writtenSegment = 0
const writtenSize = 1
const consumedSegment = 2
const consumedOffset = 3
// The Int64 part, after the Int32 part.
const consumedClicks = 0
const int32Bytes = 4 * Int32Array.BYTES_PER_ELEMENT

/**
 * How far a folder is written and how far it is consumed. Each number has one writer. The order of the stores makes it
 * safe to read the numbers one by one.
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

  /** Loads the segment first, so that the offset of an older segment is never paired with a newer one. */
  get consumed(): JournalPlace {
    const segment = Atomics.load(this.places, consumedSegment)
    return { segment, offset: Atomics.load(this.places, consumedOffset) }
  }

  get committedClicks(): number {
    return Number(Atomics.load(this.counts, consumedClicks))
  }

  /** Whether all that was written is consumed. */
  get isDrained(): boolean {
    return (
      Atomics.load(this.places, consumedSegment) === Atomics.load(this.places, writtenSegment) &&
      Atomics.load(this.places, consumedOffset) === Atomics.load(this.places, writtenSize)
    )
  }

  /** Resets the size before it shows a new segment, so that no reader pairs the new segment with the old size. */
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
