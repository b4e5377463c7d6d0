/**
 * How fast attempts begin at receivers of which it is not known that they answer: the faster the more of them do, slowly
 * while most hang, break off or talk nonsense, and more slowly while the process has much else to do.
 */
const fastestPerSecond = 10_000
const step = 1.1
const roundMs = 10
/** What was not used is kept for this long. */
const creditMs = 50

export class Pace {
  private perSecond: number
  private credit = Infinity
  private earnedAt = performance.now()
  private readonly waiting = new Set<() => void>()
  private rounds: NodeJS.Timeout | null = null
  private isInRound = false

  constructor(
    private readonly slowestPerSecond: number,
    private readonly spareTime: () => number,
  ) {
    this.perSecond = slowestPerSecond
  }

  /** Whether an attempt may begin; if not, `onTurn` is called, once, when it is time to ask again. */
  take(onTurn: () => void): boolean {
    this.earn()
    if (this.credit >= 1 && (this.isInRound || this.waiting.size === 0)) {
      this.credit -= 1
      return true
    }
    this.waiting.add(onTurn)
    this.rounds ??= setInterval(() => this.round(), roundMs).unref()
    return false
  }

  learn(isHarmless: boolean): void {
    const perSecond = isHarmless ? this.perSecond * step : this.perSecond / step
    this.perSecond = Math.min(fastestPerSecond, Math.max(this.slowestPerSecond, perSecond))
  }

  stop(): void {
    if (this.rounds) clearInterval(this.rounds)
    this.rounds = null
  }

  private earn(): void {
    const now = performance.now()
    const earned = ((now - this.earnedAt) / 1000) * this.perSecond * this.spareTime()
    this.credit = Math.min(this.credit + earned, (creditMs / 1000) * this.perSecond)
    this.earnedAt = now
  }

  /** Those who have waited longest ask first. */
  private round(): void {
    this.earn()
    this.isInRound = true
    for (const onTurn of this.waiting) {
      if (this.credit < 1) break
      this.waiting.delete(onTurn)
      onTurn()
    }
    this.isInRound = false
    if (this.waiting.size === 0) this.stop()
  }
}
