import { ApiProperty, ApiSchema } from '@nestjs/swagger'

import { encodeId } from '../../platform/database/ids.js'
import { count } from '../../platform/http/openapi/api-docs.js'
import { circuitEnum, nextAttemptOptions, successRateOptions } from '../../webhooks/webhook-health.dto.js'
import type { Circuit } from '../../webhooks/webhook-lanes.js'
import { splitPendingCount } from '../delivery-status.js'
import type { WebhookState } from '../delivery-status.js'
import { getAwaitedDelivery, getCircuit, getNextLaneAttemptAt, successRate } from '../lane-figures.js'
import type { AwaitedDelivery, LaneSchedule } from '../lane-figures.js'

/** A snapshot of a lane and its pending deliveries. */
export interface Ledger extends LaneSchedule {
  succeeded: number
  failed: number
  canceled: number
  attempts: number
  /** Number of deliveries stored as pending. */
  waiting: number
  webhook: WebhookState
}

export interface Recent {
  /** One entry per hour, oldest first. */
  hours: { startMs: number; attempts: number; successes: number }[]
  /** The 50th, 95th and 99th percentiles in milliseconds. Null if there were no attempts. */
  latencies: [number, number, number] | null
}

@ApiSchema({
  name: 'WebhookLatency',
  description: 'Latency percentiles of attempts in milliseconds. Null if there were no attempts.',
})
export class LatencyDto {
  @ApiProperty({ type: Number, nullable: true, description: '50th percentile.', example: 38 })
  p50!: number | null

  @ApiProperty({ type: Number, nullable: true, description: '95th percentile.', example: 120 })
  p95!: number | null

  @ApiProperty({ type: Number, nullable: true, description: '99th percentile.', example: 410 })
  p99!: number | null
}

@ApiSchema({ name: 'WebhookHour', description: 'Attempts in one hour.' })
export class HourDto {
  @ApiProperty({
    format: 'date-time',
    description: 'Start of the hour (UTC).',
    example: '2026-01-31T11:00:00.000Z',
  })
  start!: string

  @ApiProperty({ ...count, description: 'Attempts with a 2xx response.', example: 52 })
  succeeded!: number

  @ApiProperty({ ...count, description: 'All other attempts.', example: 1 })
  failed!: number
}

@ApiSchema({
  name: 'AwaitedDelivery',
  description:
    'Delivery of an ordered webhook that has failed or cannot be sent yet, and blocks all later ones.',
})
export class AwaitedDeliveryDto {
  @ApiProperty({ description: 'ID of the delivery.', example: 'dlv_01kaj4d0qaf2bv7m3x9c6t1hwk' })
  delivery_id!: string

  @ApiProperty({
    format: 'date-time',
    description: 'Start of its first attempt, or the time it was created if it has not been attempted yet.',
    example: '2026-01-31T11:00:00.120Z',
  })
  since!: string

  @ApiProperty({
    format: 'date-time',
    description: 'Expected time of its next attempt.',
    example: '2026-01-31T11:00:05.320Z',
  })
  next_attempt_at!: string

  static from({ id, since, nextAttemptAt }: AwaitedDelivery): AwaitedDeliveryDto {
    return {
      delivery_id: encodeId('dlv', id),
      since: since.toISOString(),
      next_attempt_at: nextAttemptAt.toISOString(),
    }
  }
}

@ApiSchema({ name: 'WebhookStats', description: 'Delivery statistics of a webhook.' })
export class StatsDto {
  @ApiProperty({
    ...count,
    description:
      'Total number of deliveries, excluding tests: the sum of `succeeded`, `pending`, `held`, `failed` and `canceled`.',
    example: 1204,
  })
  emitted!: number

  @ApiProperty({ ...count, description: 'Deliveries with a 2xx response.', example: 1198 })
  succeeded!: number

  @ApiProperty({ ...count, description: 'Deliveries waiting to be sent or retried.', example: 4 })
  pending!: number

  @ApiProperty({ ...count, description: 'Deliveries held until the webhook is active.', example: 0 })
  held!: number

  @ApiProperty({ ...count, description: 'Deliveries with no attempts left.', example: 2 })
  failed!: number

  @ApiProperty({
    ...count,
    description:
      'Deliveries that were not sent because they were skipped or too old, or the webhook was deleted.',
    example: 0,
  })
  canceled!: number

  @ApiProperty({ ...count, description: 'Total number of attempts, excluding tests.', example: 1243 })
  attempts!: number

  @ApiProperty(successRateOptions)
  success_rate_24h!: number | null

  @ApiProperty({
    type: HourDto,
    isArray: true,
    description:
      'Attempts in the current hour and the 23 hours before it, oldest first, including hours without attempts. Tests are excluded.',
  })
  hours!: HourDto[]

  @ApiProperty({
    type: LatencyDto,
    description:
      'Latency in milliseconds, from the last attempt of each of the latest 1,000 deliveries. Only attempts in the last 24 hours count.',
  })
  latency_ms!: LatencyDto

  @ApiProperty(nextAttemptOptions)
  next_attempt_at!: string | null

  @ApiProperty(circuitEnum)
  circuit!: Circuit

  @ApiProperty({
    type: AwaitedDeliveryDto,
    nullable: true,
    description:
      'Delivery that blocks all later ones of an ordered webhook. Null if nothing is blocked or the webhook is not ordered.',
    example: null,
  })
  waiting_for!: AwaitedDeliveryDto | null

  static fromLedger(ledger: Ledger, recent: Recent): StatsDto {
    const { succeeded, failed, canceled, attempts, waiting, webhook } = ledger
    const shown = splitPendingCount(waiting, webhook)
    const awaited = getAwaitedDelivery(ledger, webhook)
    const [p50, p95, p99] = recent.latencies ?? [null, null, null]
    return Object.assign(new StatsDto(), {
      emitted: succeeded + failed + canceled + waiting,
      succeeded,
      pending: shown.pending,
      held: shown.held,
      failed,
      canceled: canceled + shown.canceled,
      attempts,
      success_rate_24h: computeSuccessRate(recent.hours),
      hours: recent.hours.map(toHourDto),
      latency_ms: { p50, p95, p99 },
      next_attempt_at: getNextLaneAttemptAt(ledger, ledger.webhook)?.toISOString() ?? null,
      circuit: getCircuit(ledger),
      waiting_for: awaited && AwaitedDeliveryDto.from(awaited),
    })
  }
}

function computeSuccessRate(hours: Recent['hours']): number | null {
  const sum = (field: 'attempts' | 'successes') => hours.reduce((total, hour) => total + hour[field], 0)
  return successRate(sum('attempts'), sum('successes'))
}

function toHourDto({ startMs, attempts, successes }: Recent['hours'][number]): HourDto {
  return { start: new Date(startMs).toISOString(), succeeded: successes, failed: attempts - successes }
}
