/**
 * Collects the clicks of one turn of the event loop, commits them together, and then lets their answers go in order.
 * Under load the commit comes at the end of the turn (`setImmediate`), or sooner when a group is full: visitors who have
 * their answers ask on while the next group is made, and nobody waits for a long turn to end. A click that is alone
 * in its turn has nobody to wait for: while clicks are rare, each commits right after the code that recorded it
 * (`nextTick`), and only now and then one looks whether others followed it in its turn.
 */
type Answer<T> = (arg: T) => void

const looksOnceIn = 16
/** One write to the file costs as much as the answers of a few visitors: fewer would not be worth it. */
const mostInGroup = 8

export class Turns {
  /** Functions and what they are called with, one after the other. */
  private answers: unknown[] = []
  private isOpen = false
  private isCrowded = false
  /** Since the turn was looked at last. */
  private clicks = 0
  private lonelyUntilLook = looksOnceIn

  constructor(
    private readonly commit: () => void,
    private readonly afterwards: () => void,
    private readonly onFault: (error: Error) => void,
  ) {}

  add<T>(answer: Answer<T>, arg: T): void {
    this.answers.push(answer, arg)
    this.clicks++
    // Not at once: the caller is still busy with this click.
    if (this.answers.length === 2 * mostInGroup) process.nextTick(this.flush)
    if (this.isOpen) return
    this.isOpen = true
    if (this.isCrowded) setImmediate(this.endTurn)
    else process.nextTick(this.endAlone)
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

  private readonly endAlone = (): void => {
    this.isOpen = false
    this.flush()
    if (--this.lonelyUntilLook > 0) return
    this.lonelyUntilLook = looksOnceIn
    this.clicks = 1
    setImmediate(this.look)
  }

  private readonly endTurn = (): void => {
    this.isOpen = false
    this.look()
    this.flush()
  }

  private readonly look = (): void => {
    this.isCrowded = this.clicks > 1
    this.clicks = 0
  }
}
