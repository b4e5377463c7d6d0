import { headerOf } from './headers.js'
import type { AnyHeaders } from './headers.js'

/** Notices which deliveries of one webhook are missing so far: their numbers have no gaps. Call `note` after the signature was checked. */
export class SequenceGaps {
  #next: number | null
  #ranges: [from: number, to: number][] = []

  /** `after` is the last number that an earlier run has seen; without it the first one that comes begins. */
  constructor({ after }: { after?: number } = {}) {
    this.#next = after === undefined ? null : after + 1
  }

  /** A number, or a delivery's headers. Tells whether it is new; a test has no number and always is. */
  note(delivery: number | AnyHeaders): boolean {
    const number =
      typeof delivery === 'number' ? delivery : Number(headerOf(delivery, 'webhook-sequence') ?? NaN)
    if (!Number.isSafeInteger(number) || number < 1) return true
    this.#next ??= number
    if (number < this.#next) return this.#fill(number)
    if (number > this.#next) this.#ranges.push([this.#next, number - 1])
    this.#next = number + 1
    return true
  }

  /** What is missing, as ranges with both ends: on its way, waiting for its next attempt, or failed for good. */
  get missing(): readonly (readonly [from: number, to: number])[] {
    return this.#ranges.map((range) => [...range])
  }

  /** False for one that came before. */
  #fill(number: number): boolean {
    const index = this.#ranges.findIndex(([from, to]) => from <= number && number <= to)
    const range = this.#ranges[index]
    if (!range) return false
    const [from, to] = range
    const rest = [
      [from, number - 1],
      [number + 1, to],
    ] as [number, number][]
    this.#ranges.splice(index, 1, ...rest.filter(([first, last]) => first <= last))
    return true
  }
}
