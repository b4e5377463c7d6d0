/** The life of a lane in this process, as a table of states, events and actions. README.md shows it as a diagram. */
import {
  circuitOpensAfter,
  firstProbeMs,
  firstRead,
  firstWindow,
  longestProbeMs,
  slowAfterMs,
} from './limits.js'
import type { DueDelivery, LaneView } from './leases.repository.js'
import type { Slot } from './sender.js'

export type WebhookLaneState =
  /** More may be due: a claim is asked for as soon as there is room. */
  | 'sending'
  /** A claim is asked for, and goes out with the next batch. */
  | 'claim_asked'
  /** A claim is under way. */
  | 'claiming'
  /** A claim is under way; something new came meanwhile, so another one follows. */
  | 'claiming_woken'
  /** A claim is under way; the webhook was changed meanwhile, so its answer is dropped and another one follows. */
  | 'claiming_outdated'
  /** A claim is under way; nothing may be sent any more, so its answer is dropped. */
  | 'claiming_resting'
  /** All that was due is in memory or on its way. */
  | 'drained'
  /** The time slice of the lane has ended, or the worker stops. More may be due. */
  | 'slice_ended'
  /** Nothing may be sent: the circuit is open, the receiver asked for a pause, or a claim was refused. */
  | 'resting'
  /** The lease is being given back; nothing is left to do. */
  | 'releasing'
  /** The lease is being given back, and then a hint tells the workers that more may be due. */
  | 'releasing_with_more'
  /** The lease is being given back. Only the database knows when the lane is due again. */
  | 'releasing_rested'
  /** The lane no longer belongs to this process. */
  | 'released'

export type LaneEvent =
  /** Something new may be due. */
  | 'woken'
  /** What was read of the webhook may be outdated. */
  | 'changed'
  /** An attempt showed that nothing more may be sent for now. */
  | 'rest'
  /** A claim is useful now: few deliveries wait in memory and, when a probe was claimed, its result is written. */
  | 'room'
  /** The time slice of the lane is over, or the worker stops. */
  | 'slice_over'
  /** Nothing is in memory or under way, and every result is written. */
  | 'empty'
  /** The statement of a claim is about to be sent. */
  | 'claim_began'
  /** The claim brought all that is due. */
  | 'claimed_all'
  /** The claim reached its limit, so more may be due. */
  | 'claimed_some'
  /** The claim did not get the lane, or nothing can be signed for the webhook. */
  | 'refused'
  /** Another worker has noted that something is due: the lease stays here. */
  | 'kept'
  /** The lease was given back. */
  | 'released'

export type LaneAction =
  /** Put the lane into the next claim. */
  | 'ask_claim'
  /** Put the claimed deliveries into the lane's buffer, to be sent. */
  | 'buffer'
  /** Forget what was claimed and not sent. */
  | 'forget'
  /** Put the lane into the next release of leases. */
  | 'ask_release'
  /** Tell the workers that something may be due. */
  | 'hint'

export type Transition = readonly [to: WebhookLaneState, ...actions: LaneAction[]]

/** These may come at any time. Where the table has no entry for one, it changes nothing. */
export const ignorable: ReadonlySet<LaneEvent> = new Set([
  'woken',
  'changed',
  'rest',
  'room',
  'slice_over',
  'empty',
])

export const transitions: Record<WebhookLaneState, Partial<Record<LaneEvent, Transition>>> = {
  sending: {
    room: ['claim_asked', 'ask_claim'],
    slice_over: ['slice_ended'],
    changed: ['sending', 'forget'],
    rest: ['resting', 'forget'],
  },
  claim_asked: {
    claim_began: ['claiming'],
    changed: ['claim_asked', 'forget'],
    rest: ['claiming_resting', 'forget'],
  },
  // A claim that failed begins again, here and in the states below. It then sees everything that happened before.
  claiming: {
    claim_began: ['claiming'],
    woken: ['claiming_woken'],
    changed: ['claiming_outdated', 'forget'],
    rest: ['claiming_resting', 'forget'],
    claimed_all: ['drained', 'buffer'],
    claimed_some: ['sending', 'buffer'],
    refused: ['resting', 'forget'],
  },
  claiming_woken: {
    claim_began: ['claiming'],
    changed: ['claiming_outdated', 'forget'],
    rest: ['claiming_resting', 'forget'],
    claimed_all: ['sending', 'buffer'],
    claimed_some: ['sending', 'buffer'],
    refused: ['resting', 'forget'],
  },
  claiming_outdated: {
    claim_began: ['claiming'],
    changed: ['claiming_outdated', 'forget'],
    rest: ['claiming_resting', 'forget'],
    claimed_all: ['sending'],
    claimed_some: ['sending'],
    refused: ['resting', 'forget'],
  },
  claiming_resting: {
    claim_began: ['claiming_resting'],
    claimed_all: ['resting'],
    claimed_some: ['resting'],
    refused: ['resting'],
  },
  drained: {
    woken: ['sending'],
    changed: ['sending', 'forget'],
    rest: ['resting', 'forget'],
    empty: ['releasing', 'ask_release'],
  },
  slice_ended: {
    changed: ['slice_ended', 'forget'],
    rest: ['resting', 'forget'],
    empty: ['releasing_with_more', 'ask_release'],
  },
  resting: {
    empty: ['releasing_rested', 'ask_release'],
  },
  releasing: {
    woken: ['releasing_with_more'],
    changed: ['releasing_with_more'],
    kept: ['sending'],
    released: ['released'],
  },
  releasing_with_more: {
    kept: ['sending'],
    released: ['released', 'hint'],
  },
  releasing_rested: {
    kept: ['resting'],
    released: ['released'],
  },
  released: {},
}

/** Throws for an answer that the state does not wait for: that is a defect of the dispatcher. */
export function transition(state: WebhookLaneState, event: LaneEvent): Transition {
  const found = transitions[state][event]
  if (found) return found
  if (ignorable.has(event)) return [state]
  throw new Error(`A lane that is ${state} cannot be told ${event}.`)
}

/**
 * How long new deliveries wait after this many failures in a row; null while the circuit is closed. An open circuit
 * tries one new delivery at growing intervals, so that an outage does not use up the attempts of all that wait.
 * Deliveries that were tried before keep to their schedule. A success closes the circuit.
 */
export function probeInterval(failuresInARow: number): number | null {
  if (failuresInARow < circuitOpensAfter) return null
  return Math.min(firstProbeMs * 2 ** Math.min(failuresInARow - circuitOpensAfter, 30), longestProbeMs)
}

/** A lane that this process holds: its state, and its deliveries in memory. Only the dispatcher changes the state. */
export class WebhookLane {
  state: WebhookLaneState = 'sending'
  view: LaneView | null = null
  /** The origin of the receiver's address. */
  origin = ''
  /** Deliveries that are claimed and not sent yet. */
  readonly buffer: DueDelivery[] = []
  /** Ids of claimed deliveries whose results are not written yet. The next claim must leave these alone. */
  readonly known = new Set<string>()
  readonly inFlight = new Set<Slot>()
  failuresInARow = 0
  /** True when the last attempt succeeded, as far as this process knows. */
  isProven = false
  /** This signal is given when the lease was given back. */
  readonly ended = new Signal()
  private look: Signal | null = null
  private window = firstWindow
  private lastWasSlow = false
  private lastClaimWasProbe = false
  private readonly sliceEndsAt: number

  constructor(
    readonly webhookId: string,
    sliceMs: number,
    /** Called when there may be room for a request after there was none. */
    readonly onRoom: (lane: WebhookLane) => void,
  ) {
    this.sliceEndsAt = performance.now() + sliceMs
  }

  readonly tellRoom = (): void => this.onRoom(this)

  get isSliceOver(): boolean {
    return performance.now() > this.sliceEndsAt
  }

  get circuitIsOpen(): boolean {
    return probeInterval(this.failuresInARow) !== null
  }

  get mostInFlight(): number {
    return this.circuitIsOpen ? 1 : Math.min(this.window, this.view?.maxInFlight ?? firstWindow)
  }

  /** True when a claim is useful. After a probe nothing more can be read before its result is written. */
  get hasRoom(): boolean {
    return this.lastClaimWasProbe ? this.known.size === 0 : this.buffer.length < this.mostInFlight
  }

  /** True when the last attempt took long, or a running one does. */
  get isSlow(): boolean {
    if (this.lastWasSlow) return true
    for (const { kind } of this.inFlight) if (kind === 'slow') return true
    return false
  }

  /** Resolves when the lane has looked for due deliveries once more, or has given its lease back. */
  get nextLook(): Promise<void> {
    this.look ??= new Signal()
    return this.look.given
  }

  /** How many deliveries one claim reads. It reads few until the lane is known to send them soon. */
  mostToRead(batch: number): number {
    if (this.isSlow || this.failuresInARow > 0) return Math.min(batch, this.mostInFlight)
    const isFast = this.view !== null && this.window >= this.view.maxInFlight
    return isFast ? batch : Math.min(batch, firstRead)
  }

  looked(): void {
    this.look?.give()
    this.look = null
  }

  see(view: LaneView): void {
    this.lastClaimWasProbe = probeInterval(view.failuresInARow) !== null
    // Another address is another receiver.
    if (this.view?.url !== view.url) {
      this.failuresInARow = view.failuresInARow
      this.isProven = view.isProven
      this.lastWasSlow = false
      this.window = firstWindow
    }
    if (this.view?.updatedAt.getTime() === view.updatedAt.getTime()) return
    this.view = view
    this.origin = URL.parse(view.url)?.origin ?? ''
  }

  add(due: readonly DueDelivery[]): void {
    for (const delivery of due) this.known.add(delivery.id)
    this.buffer.push(...due)
  }

  /** A success lets one more request run at a time, and a failure halves the number. */
  learn(isSuccess: boolean, durationMs: number): void {
    this.failuresInARow = isSuccess ? 0 : this.failuresInARow + 1
    this.isProven = isSuccess
    this.lastWasSlow = durationMs >= slowAfterMs
    const most = this.view?.maxInFlight ?? firstWindow
    this.window = isSuccess ? Math.min(most, this.window + 1) : Math.max(1, Math.floor(this.window / 2))
  }

  forgetBuffer(): void {
    for (const { id } of this.buffer) this.known.delete(id)
    this.buffer.length = 0
  }
}

class Signal {
  readonly given: Promise<void>
  give: () => void = () => undefined

  constructor() {
    this.given = new Promise((resolve) => (this.give = resolve))
  }
}
