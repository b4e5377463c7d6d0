/**
 * The life of a webhook's lane in this process, as one table: in which state it is, what can happen to it, and what the
 * dispatcher then does. The README of this folder shows it as a diagram.
 */

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
  | 'claiming_closed'
  /** All that was due is in memory or on its way. */
  | 'drained'
  /** Its time slice has ended, or the worker stops, while more may be due. */
  | 'turn_ended'
  /** Nothing may be sent: the circuit is open, the receiver asked for a pause, or the webhook cannot be had. */
  | 'resting'
  /** The lease is being given back; nothing is left to do. */
  | 'releasing'
  /** The lease is being given back; somebody must be told that more may be due. */
  | 'releasing_with_more'
  /** The lease is being given back; when the lane is due again only the database knows. */
  | 'releasing_rested'
  /** Not this process's any more. */
  | 'released'

export type LaneEvent =
  /** Something new may be due. */
  | 'woken'
  /** What was read of the webhook may be outdated. */
  | 'changed'
  /** An attempt showed that nothing more may be sent for now. */
  | 'rest'
  /** Fewer deliveries wait in memory than may be under way. */
  | 'room'
  /** Its time slice is over, or the worker stops. */
  | 'slice_over'
  /** Nothing is in memory or under way, and every result is written. */
  | 'empty'
  /** The statement of a claim is about to be sent. */
  | 'claim_began'
  /** The claim brought all that is due. */
  | 'claimed_all'
  /** The claim brought as much as was asked for. */
  | 'claimed_some'
  /** The claim did not get the lane, or nothing can be signed for the webhook. */
  | 'refused'
  /** Another worker has noted that something is due: the lease stays here. */
  | 'kept'
  /** The lease was given back. */
  | 'released'

export type LaneAction =
  /** Have what is due claimed. */
  | 'ask_claim'
  /** Add what the claim brought to what is to be sent. */
  | 'keep'
  /** Forget what was claimed and not sent. */
  | 'forget'
  /** Have the lease given back. */
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
    slice_over: ['turn_ended'],
    changed: ['sending', 'forget'],
    rest: ['resting', 'forget'],
  },
  claim_asked: {
    claim_began: ['claiming'],
    changed: ['claim_asked', 'forget'],
    rest: ['claiming_closed', 'forget'],
  },
  // A claim that failed begins again, also from the states below: it then sees all that came before.
  claiming: {
    claim_began: ['claiming'],
    woken: ['claiming_woken'],
    changed: ['claiming_outdated', 'forget'],
    rest: ['claiming_closed', 'forget'],
    claimed_all: ['drained', 'keep'],
    claimed_some: ['sending', 'keep'],
    refused: ['resting', 'forget'],
  },
  claiming_woken: {
    claim_began: ['claiming'],
    changed: ['claiming_outdated', 'forget'],
    rest: ['claiming_closed', 'forget'],
    claimed_all: ['sending', 'keep'],
    claimed_some: ['sending', 'keep'],
    refused: ['resting', 'forget'],
  },
  claiming_outdated: {
    claim_began: ['claiming'],
    changed: ['claiming_outdated', 'forget'],
    rest: ['claiming_closed', 'forget'],
    claimed_all: ['sending'],
    claimed_some: ['sending'],
    refused: ['resting', 'forget'],
  },
  claiming_closed: {
    claim_began: ['claiming_closed'],
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
  turn_ended: {
    changed: ['turn_ended', 'forget'],
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
