/**
 * Group commit: clicks that come close together are written together, and then their answers are sent in order. Under
 * load a group is written at the end of its turn of the event loop (`setImmediate`), or sooner when it is full:
 * visitors who have their answers send new requests while the next group forms. While clicks are rare, a click has no
 * other to wait for. It is written right after the code that recorded it (`nextTick`). One such turn in sixteen is
 * watched to its end, to see whether more clicks come in it.
 */
type Answer<T> = (arg: T) => void

const sampleOneIn = 16
/** One write to the file costs as much as the answers of a few visitors: smaller groups would not be worth it. */
const mostInGroup = 8

export class GroupCommit {
  /** Each callback, followed by its argument. */
  private answers: unknown[] = []
  private isOpen = false
  private isBusy = false
  /** Clicks since the last sample. */
  private clicks = 0
  private untilSample = sampleOneIn

  constructor(
    private readonly commit: () => void,
    private readonly afterwards: () => void,
    private readonly onFault: (error: Error) => void,
  ) {}

  add<T>(answer: Answer<T>, arg: T): void {
    this.answers.push(answer, arg)
    this.clicks++
    // Not flushed at once, because the caller is still busy with this click.
    if (this.answers.length === 2 * mostInGroup) process.nextTick(this.flush)
    if (this.isOpen) return
    this.isOpen = true
    if (this.isBusy) setImmediate(this.commitTurn)
    else process.nextTick(this.commitNow)
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
        // The commit is over. A callback that throws must not keep the others from being called.
        this.onFault(error as Error)
      }
    this.afterwards()
  }

  private readonly commitNow = (): void => {
    this.isOpen = false
    this.flush()
    if (--this.untilSample > 0) return
    this.untilSample = sampleOneIn
    this.clicks = 1
    setImmediate(this.sample)
  }

  private readonly commitTurn = (): void => {
    this.isOpen = false
    this.sample()
    this.flush()
  }

  private readonly sample = (): void => {
    this.isBusy = this.clicks > 1
    this.clicks = 0
  }
}
