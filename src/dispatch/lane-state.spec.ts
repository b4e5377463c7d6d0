import { readFileSync } from 'node:fs'

import {
  type LaneAction,
  type LaneEvent,
  type WebhookLaneState,
  ignorable,
  probeInterval,
  transition,
  transitions,
} from './lane-state.js'

const states = Object.keys(transitions) as WebhookLaneState[]
const events: LaneEvent[] = [
  ...ignorable,
  'claim_began',
  'claimed_all',
  'claimed_some',
  'refused',
  'kept',
  'released',
]
const cells = states.flatMap((state) => events.map((event) => [state, event] as const))
const awaiting: Partial<Record<LaneEvent, (state: WebhookLaneState) => boolean>> = {
  claim_began: (state) => state.startsWith('claim'),
  claimed_all: (state) => state.startsWith('claiming'),
  claimed_some: (state) => state.startsWith('claiming'),
  refused: (state) => state.startsWith('claiming'),
  kept: (state) => state.startsWith('releasing'),
  released: (state) => state.startsWith('releasing'),
}

interface Step {
  from: WebhookLaneState
  event: LaneEvent
  to: WebhookLaneState
  actions: readonly LaneAction[]
}

const steps: Step[] = cells.flatMap(([from, event]) => {
  if (awaiting[event]?.(from) === false) return []
  const [to, ...actions] = transition(from, event)
  return [{ from, event, to, actions }]
})

/** The states that can be reached from `start`. Steps for which `stopsAt` is true are not followed. */
function reachableFrom(start: WebhookLaneState, stopsAt: (step: Step) => boolean = () => false): Set<string> {
  const reached = new Set<WebhookLaneState>([start])
  for (const state of reached)
    for (const step of steps) if (step.from === state && !stopsAt(step)) reached.add(step.to)
  return reached
}

describe('each cell of the table', () => {
  it.each(cells)('a lane that is %s, told %s', (state, event) => {
    const isAwaited = awaiting[event]?.(state)
    if (isAwaited === false) {
      expect(() => transition(state, event)).toThrow(`A lane that is ${state} cannot be told ${event}.`)
      return
    }
    const [to, ...actions] = transition(state, event)
    expect(states).toContain(to)
    // Every awaited answer has its own entry. A change or a rest drops everything that was read before.
    if (isAwaited) expect(transitions[state][event]).toBeDefined()
    const maySend = !/closed|resting|releas/.test(state)
    if ((event === 'changed' || event === 'rest') && maySend) expect(actions).toContain('forget')
    expect(actions.includes('ask_claim')).toBe(to === 'claim_asked' && state !== 'claim_asked')
    expect(actions.includes('ask_release')).toBe(to.startsWith('releasing') && !state.startsWith('releasing'))
  })
})

describe('the life of a lane', () => {
  it('can come to every state', () => {
    expect(reachableFrom('sending')).toEqual(new Set(states))
  })

  it.each(states)('can always end, also when it is %s', (state) => {
    expect(reachableFrom(state)).toContain('released')
  })

  it('ends only by a release', () => {
    const ends = steps.filter(({ from, to }) => to === 'released' && from !== 'released')
    expect(new Set(ends.map(({ event }) => event))).toEqual(new Set(['released']))
  })

  it('after a rest keeps nothing that a claim brings, and claims nothing, until its release is answered', () => {
    for (const { from } of steps) {
      if (from.startsWith('releas')) continue
      const [rested] = transition(from, 'rest')
      const after = reachableFrom(rested, ({ event }) => event === 'kept' || event === 'released')
      const taken = steps.filter(
        ({ from: state, actions }) =>
          after.has(state) && (actions.includes('buffer') || actions.includes('ask_claim')),
      )
      expect(taken).toEqual([])
    }
  })

  it('loses nothing that it was woken for: a claim begins afterwards, a worker is told, or it rests', () => {
    for (const from of states) {
      if (from === 'released') continue
      const [woken] = transition(from, 'woken')
      const isHeard = ({ to, event, actions }: Step) =>
        event === 'claim_began' || actions.includes('hint') || /closed|rest/.test(to)
      if (!/closed|rest/.test(woken)) expect(reachableFrom(woken, isHeard)).not.toContain('released')
    }
  })

  it('sends nothing of a claim that began before the webhook was changed', () => {
    for (const from of ['claiming', 'claiming_woken', 'claiming_outdated'] as const) {
      const [changed] = transition(from, 'changed')
      const before = reachableFrom(changed, ({ event }) => event === 'claim_began')
      expect(
        steps.filter(
          ({ from: state, event, actions }) =>
            before.has(state) && event.startsWith('claimed') && actions.includes('buffer'),
        ),
      ).toEqual([])
    }
  })
})

it('the diagram of the README is the table', () => {
  const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8')
  const drawn = [...readme.matchAll(/^ {4}(\w+) --> (\w+): ([\w, ]+)$/gm)].flatMap(([, from, to, names]) =>
    names!.split(', ').map((event) => `${from} --> ${to}: ${event}`),
  )
  const moves = steps.filter(({ from, to }) => from !== to)
  expect(drawn.sort()).toEqual(moves.map(({ from, to, event }) => `${from} --> ${to}: ${event}`).sort())
})

describe('the circuit', () => {
  it('is closed until five failures have come in a row', () => {
    expect([0, 1, 2, 3, 4].map(probeInterval)).toEqual([null, null, null, null, null])
  })

  it('tries at intervals that double, up to five minutes', () => {
    expect([5, 6, 7, 8, 9, 10, 11, 12].map(probeInterval)).toEqual([
      2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000,
    ])
    expect([13, 14, 1_000, 2 ** 31].map(probeInterval)).toEqual([300_000, 300_000, 300_000, 300_000])
  })
})
