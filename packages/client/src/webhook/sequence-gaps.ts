import { headerOf } from './headers.js'
import type { AnyHeaders } from './headers.js'

/** Finds missing deliveries of a webhook, whose numbers have no gaps. Call `note` after you checked the signature. */
export class SequenceGaps {
  #next: number | null
  #ranges: [from: number, to: number][] = []

  /** `after` is the last number that an earlier run has seen. Without it, the first noted number is the first one. */
  constructor({ after }: { after?: number } = {}) {
    this.#next = after === undefined ? null : after + 1
  }

  /** Takes a number or a delivery's headers, and tells whether it is new. A test has no number and is always new. */
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

  /** The missing numbers, as ranges with both ends. They are on their way, wait for a retry, or failed for good. */
  get missing(): readonly (readonly [from: number, to: number])[] {
    return this.#ranges.map((range) => [...range])
  }

  /** False for a number that came before. */
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
