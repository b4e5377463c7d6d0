import { getHeader } from './headers.js'
import type { AnyHeaders } from './headers.js'

/** Finds missing deliveries of one webhook by their sequence numbers. Call `note` after handling a verified delivery. */
export class SequenceGaps {
  #first: number | null
  #next: number | null
  #ranges: [from: number, to: number][] = []

  /** `after` is the last number of an earlier run. Without it, counting starts at the first number passed to `note`. */
  constructor({ after }: { after?: number } = {}) {
    this.#first = after === undefined ? null : after + 1
    this.#next = this.#first
  }

  /**
   * Records a delivery. Returns false only for a number that was noted before, and true for tests, which have no number.
   */
  note(delivery: number | AnyHeaders): boolean {
    const number =
      typeof delivery === 'number' ? delivery : Number(getHeader(delivery, 'webhook-sequence') ?? NaN)
    if (!Number.isSafeInteger(number) || number < 1) return true
    this.#first ??= number
    this.#next ??= number
    // What was delivered before the first number is unknown.
    if (number < this.#first) return true
    if (number < this.#next) return this.#fill(number)
    if (number > this.#next) this.#ranges.push([this.#next, number - 1])
    this.#next = number + 1
    return true
  }

  /** The missing numbers as inclusive ranges. They are in transit, are waiting for a retry, or have failed. */
  get missing(): readonly (readonly [from: number, to: number])[] {
    return this.#ranges.map((range) => [...range])
  }

  /** Returns false for a number that was noted before. */
  #fill(number: number): boolean {
    const index = this.#ranges.findIndex(([from, to]) => from <= number && number <= to)
    const range = this.#ranges[index]
    if (!range) return false
    const [from, to] = range
    const remaining = [
      [from, number - 1],
      [number + 1, to],
    ] as [number, number][]
    this.#ranges.splice(index, 1, ...remaining.filter(([first, last]) => first <= last))
    return true
  }
}
