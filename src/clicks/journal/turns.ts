/**
 * Collects the clicks of one turn of the event loop, commits them together, and then lets their answers go in order.
 * Under load the commit comes at the end of the turn (`setImmediate`): one write for all of it. A click that is alone
 * in its turn has nobody to wait for; where the turn before had no more than one, the first commits right after the
 * code that recorded it (`nextTick`), and only those that still follow in the turn wait for its end.
 */
type Answer<T> = (arg: T) => void

export class Turns {
  /** Functions and what they are called with, one after the other. */
  private answers: unknown[] = []
  private isOpen = false
  private clicksInTurn = 0
  private isCrowded = false

  constructor(
    private readonly commit: () => void,
    private readonly afterwards: () => void,
    private readonly onFault: (error: Error) => void,
  ) {}

  add<T>(answer: Answer<T>, arg: T): void {
    this.answers.push(answer, arg)
    this.clicksInTurn++
    if (this.isOpen) return
    this.isOpen = true
    if (this.isCrowded) setImmediate(this.end)
    else process.nextTick(this.flushFirst)
  }

  private readonly flushFirst = (): void => {
    this.flush()
    setImmediate(this.end)
  }

  readonly flush = (): void => {
    const { answers } = this
    if (answers.length === 0) return
    this.answers = []
    this.commit()
    for (let i = 0; i < answers.length; i += 2)
      try {
        ;(answers[i] as Answer<unknown>)(answers[i + 1])
      } catch (error) {
        // One broken answer must not hold back the others.
        this.onFault(error as Error)
      }
    this.afterwards()
  }

  private readonly end = (): void => {
    this.isOpen = false
    this.isCrowded = this.clicksInTurn > 1
    this.clicksInTurn = 0
    this.flush()
  }
}
