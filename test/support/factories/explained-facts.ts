/** The facts of explanations, which happen at minutes around a fixed time. */
import { Attempt } from '../../../src/deliveries/attempt.entity.js'
import { Delivery, priorities } from '../../../src/deliveries/delivery.entity.js'
import type { Facts } from '../../../src/deliveries/explain/facts.js'
import type { LaneHead } from '../../../src/deliveries/lane-head.js'
import { lowestIdAt, newId } from '../../../src/platform/database/ids.js'

export const at = (minutes: number) => new Date(Date.parse('2026-01-31T12:00:00Z') + minutes * 60_000)
export const iso = (minutes: number) => at(minutes).toISOString()

export const delivery = (fields: Partial<Delivery> = {}) =>
  Object.assign(
    new Delivery(),
    {
      id: lowestIdAt(at(-10)),
      status: 'pending',
      priority: priorities.first,
      attemptCount: 0,
      nextAttemptAt: at(5),
      completedAt: null,
      endReason: null,
      batchId: null,
      test: false,
    },
    fields,
  )
export const attempt = (fields: Partial<Attempt> = {}) =>
  Object.assign(new Attempt(), { number: 1, statusCode: null, errorClass: null, errorMessage: null }, fields)
export const refused = { errorClass: 'refused', errorMessage: 'Nothing accepts connections' } as const
export const failure = attempt(refused)

export const head: LaneHead = {
  id: newId(),
  priority: 0,
  batchId: null,
  attemptCount: 2,
  nextAttemptMs: 0,
  firstAttemptMs: 0,
}

export const facts: Facts = {
  event: { type: 'click', at: at(-10) },
  isExample: false,
  unmetCondition: null,
  webhook: { status: 'active', disabledReason: null, events: ['click'], createdAt: at(-60), deletedAt: null },
  pausedUntil: null,
  head: null,
  batchSeconds: null,
  probeAt: null,
  delivery: null,
  proxyFailingSince: null,
  pause: null,
  lastAttempt: null,
  oldestKept: at(-60),
  now: at(0),
}
export const webhook = (fields: Partial<Facts['webhook']>) => ({ webhook: { ...facts.webhook, ...fields } })
