/**
 * UUIDv7 at about a tenth of the cost of a general library, which asks for random bytes for each; they grow strictly.
 * Behind the millisecond come a 24 bit counter that starts anywhere in its lower half, then 48 random bits, so that
 * processes do not meet.
 */
import { randomBytes, randomInt } from 'node:crypto'

const hex3 = Array.from({ length: 4096 }, (_, i) => i.toString(16).padStart(3, '0'))
const tailLength = 12
const tailsPerRefill = 512
const counterEnd = 1 << 24

/** Ids follow a clock that steps back by more than this. After a smaller step they keep the old time until the clock catches up. */
const toleratedStepBackMs = 1_000

export class GrowingIds {
  private millisecond = -1
  private counter = 0
  /** The digits before the lower half of the counter. They change with the millisecond and with the upper half. */
  private head = ''
  private timeDigits = ''
  private variant = '8'
  private tails = ''
  private tailAt = 0

  next(now: number): string {
    if (now > this.millisecond || this.millisecond - now > toleratedStepBackMs) this.begin(now)
    else if (++this.counter === counterEnd) this.begin(this.millisecond + 1)
    else if ((this.counter & 0xfff) === 0) this.setHead()
    if (this.tailAt === this.tails.length) this.refill()
    const tail = this.tails.slice(this.tailAt, this.tailAt + tailLength)
    this.tailAt += tailLength
    return `${this.head}${hex3[this.counter & 0xfff]}-${tail}`
  }

  private begin(millisecond: number): void {
    this.millisecond = millisecond
    const digits = millisecond.toString(16).padStart(12, '0')
    this.timeDigits = `${digits.slice(0, 8)}-${digits.slice(8)}-7`
    // Math.random is enough here: uniqueness rests on the tail.
    this.counter = Math.floor(Math.random() * (counterEnd / 2))
    this.setHead()
  }

  private setHead(): void {
    this.head = `${this.timeDigits}${hex3[this.counter >> 12]}-${this.variant}`
  }

  private refill(): void {
    this.tails = randomBytes((tailLength / 2) * tailsPerRefill).toString('hex')
    this.tailAt = 0
    this.variant = '89ab'.charAt(randomInt(4))
  }
}
