import { ApiProperty, ApiSchema } from '@nestjs/swagger'

import { enumOf } from '../../platform/http/openapi/api-docs.js'
import { countsOfPending, nextAttemptAt } from '../delivery-status.js'
import type { LaneWaits, WebhookState } from '../delivery-status.js'
import { priorities } from '../delivery.entity.js'

const circuits = ['closed', 'open', 'half_open'] as const
type Circuit = (typeof circuits)[number]
const count = { type: 'integer', minimum: 0 } as const

/** A lane and its pending deliveries at one moment. */
export interface Ledger extends LaneWaits {
  succeeded: number
  failed: number
  canceled: number
  attempts: number
  /** The number of deliveries that are stored as pending. */
  waiting: number
  webhook: WebhookState
  /** The earliest times of pending retries, and of all other pending deliveries. */
  retryAt: Date | null
  firstAt: Date | null
  now: Date
}

export interface Recent {
  /** One entry for each hour, the oldest first. */
  hours: { startMs: number; attempts: number; successes: number }[]
  /** The 50th, 95th and 99th percentiles in milliseconds; null when nothing was sent. */
  latencies: [number, number, number] | null
}

@ApiSchema({
  name: 'WebhookLatency',
  description: 'How long attempts took, in milliseconds; null without attempts.',
})
export class LatencyDto {
  @ApiProperty({ type: Number, nullable: true, description: 'Half of them took no longer.', example: 38 })
  p50!: number | null

  @ApiProperty({ type: Number, nullable: true, description: '95 of a hundred took no longer.', example: 120 })
  p95!: number | null

  @ApiProperty({ type: Number, nullable: true, description: '99 of a hundred took no longer.', example: 410 })
  p99!: number | null
}

@ApiSchema({ name: 'WebhookHour', description: 'The attempts of one hour.' })
export class HourDto {
  @ApiProperty({
    format: 'date-time',
    description: 'A whole hour of UTC.',
    example: '2026-01-31T11:00:00.000Z',
  })
  start!: string

  @ApiProperty({ ...count, description: 'Attempts that the receiver answered with 2xx.', example: 52 })
  succeeded!: number

  @ApiProperty({ ...count, description: 'All other attempts.', example: 1 })
  failed!: number
}

@ApiSchema({ name: 'WebhookStats', description: 'What became of every event for a webhook.' })
export class StatsDto {
  @ApiProperty({
    ...count,
    description:
      'All deliveries there ever were, without tests: the sum of succeeded, pending, held, failed and canceled.',
    example: 1204,
  })
  emitted!: number

  @ApiProperty({ ...count, description: 'Answered with 2xx.', example: 1198 })
  succeeded!: number

  @ApiProperty({ ...count, description: 'Still to be sent, or sent again.', example: 4 })
  pending!: number

  @ApiProperty({ ...count, description: 'Waiting for the webhook to be active again.', example: 0 })
  held!: number

  @ApiProperty({ ...count, description: 'Given up: the schedule has ended.', example: 2 })
  failed!: number

  @ApiProperty({ ...count, description: 'Not sent: too old, or the webhook was deleted.', example: 0 })
  canceled!: number

  @ApiProperty({ ...count, description: 'All attempts there ever were, without tests.', example: 1243 })
  attempts!: number

  @ApiProperty({
    type: Number,
    minimum: 0,
    maximum: 1,
    nullable: true,
    description:
      'Which part of the attempts of the past 24 hours succeeded, from 0 to 1; null without attempts. Counted by whole hours.',
    example: 0.9917,
  })
  success_rate_24h!: number | null

  @ApiProperty({
    type: HourDto,
    isArray: true,
    description:
      'The attempts of the running hour and the 23 before it, the oldest first; zeros where nothing was sent. Without tests.',
  })
  hours!: HourDto[]

  @ApiProperty({
    type: LatencyDto,
    description:
      'How long the last attempts of the last 1,000 deliveries took, in milliseconds, as far as they were made in the past 24 hours.',
  })
  latency_ms!: LatencyDto

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'When the next attempt may be made; null when nothing is pending.',
    example: '2026-01-31T11:00:05.320Z',
  })
  next_attempt_at!: string | null

  @ApiProperty({
    ...enumOf('Circuit', 'Whether attempts are made.', circuits),
    description:
      '`closed`: attempts are made as they fall due. `open`: several failed in a row, so that only retries are made and nothing new, or the receiver asked with Retry-After for a pause, and nothing is sent. `half_open`: one new delivery is tried, and how that goes decides.',
    example: 'closed',
  })
  circuit!: Circuit

  static from(ledger: Ledger, recent: Recent): StatsDto {
    const { succeeded, failed, canceled, attempts, waiting, webhook } = ledger
    const shown = countsOfPending(waiting, webhook)
    const [p50, p95, p99] = recent.latencies ?? [null, null, null]
    return Object.assign(new StatsDto(), {
      emitted: succeeded + failed + canceled + waiting,
      succeeded,
      pending: shown.pending,
      held: shown.held,
      failed,
      canceled: canceled + shown.canceled,
      attempts,
      success_rate_24h: successRateOf(recent.hours),
      hours: recent.hours.map(hourOf),
      latency_ms: { p50, p95, p99 },
      next_attempt_at: nextAttemptOf(ledger)?.toISOString() ?? null,
      circuit: circuitOf(ledger),
    })
  }
}

function successRateOf(hours: Recent['hours']): number | null {
  let [attempts, successes] = [0, 0]
  for (const hour of hours) {
    attempts += hour.attempts
    successes += hour.successes
  }
  return attempts === 0 ? null : Math.round((successes / attempts) * 10_000) / 10_000
}

function hourOf({ startMs, attempts, successes }: Recent['hours'][number]): HourDto {
  return { start: new Date(startMs).toISOString(), succeeded: successes, failed: attempts - successes }
}

function circuitOf({ pausedUntil, probeAt, now }: LaneWaits & Pick<Ledger, 'now'>): Circuit {
  if ((pausedUntil && pausedUntil > now) || (probeAt && probeAt > now)) return 'open'
  return probeAt ? 'half_open' : 'closed'
}

function nextAttemptOf({ webhook, retryAt, firstAt, pausedUntil, probeAt }: Ledger): Date | null {
  const waits = { ...webhook, pausedUntil, probeAt }
  const retry = nextAttemptAt(
    { status: 'pending', priority: priorities.retry, nextAttemptAt: retryAt },
    waits,
  )
  const first = nextAttemptAt(
    { status: 'pending', priority: priorities.first, nextAttemptAt: firstAt },
    waits,
  )
  return retry && first ? (retry < first ? retry : first) : (retry ?? first)
}
