/** What the reader of a journal knows and its writer reports, in memory that both threads see. It outlives the reader. */
const orphanedBytes = 0
const tornLines = 1
const oldestSeen = 2

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
