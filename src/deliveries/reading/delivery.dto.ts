import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger'

import { encodeId, timeOf } from '../../platform/database/ids.js'
import { eventTypes } from '../../events/catalogue.js'
import type { EventType } from '../../events/catalogue.js'
import { Optional, Rule } from '../../platform/http/fields.js'
import { CreatedQuery } from '../../platform/http/page.js'
import type { Attempt } from '../attempt.entity.js'
import type { Delivery } from '../delivery.entity.js'
import { canceledReason, deliveryStatus, deliveryStatuses } from '../delivery-status.js'
import type { DeliveryStatus, WebhookState } from '../delivery-status.js'
import { IsEventType } from '../event-type.rules.js'
import { AttemptDto, exampleAttempt } from './attempt.dto.js'

export class ListDeliveriesQuery extends CreatedQuery {
  @ApiPropertyOptional({
    enum: deliveryStatuses,
    description: 'Only those that stand so.',
    example: 'failed',
  })
  @Optional()
  @Rule('invalid_status', `Write one of ${deliveryStatuses.join(', ')}.`, (value) =>
    deliveryStatuses.some((status) => status === value),
  )
  status?: DeliveryStatus

  @ApiPropertyOptional({ enum: eventTypes, description: 'Only events of this type.', example: 'click' })
  @Optional()
  @IsEventType()
  event?: EventType
}

/** A delivery with what stands elsewhere and yet shows in its record. */
export interface FoundDelivery {
  delivery: Delivery
  webhook: WebhookState
  lastAttempt: Attempt | null
}

export class DeliveryDto {
  static readonly versionedBy: readonly string[] = [
    'id',
    'status',
    'sequence',
    'attempt_count',
    'next_attempt_at',
    'completed_at',
  ]

  @ApiProperty({ example: 'dlv_01kaj4d0qaf2bv7m3x9c6t1hwk' })
  id!: string

  @ApiProperty({ example: 'wh_01kaj3w4q2e6r8t0y1v3b5n7mz' })
  webhook_id!: string

  @ApiProperty({ example: 'evt_01kaj4d0qae6svf0k9w3m7x2ht' })
  event_id!: string

  @ApiProperty({ enum: eventTypes, example: 'click' })
  event_type!: EventType

  @ApiProperty({
    type: Number,
    nullable: true,
    description:
      'Its place in the order of this webhook; null until it is first taken to be sent, and for tests.',
    example: 214,
  })
  sequence!: number | null

  @ApiProperty({
    enum: deliveryStatuses,
    description:
      '`pending`: will be sent. `held`: will be sent once the webhook is active again. `failed`: the schedule has ended.',
    example: 'pending',
  })
  status!: DeliveryStatus

  @ApiProperty({ example: 1 })
  attempt_count!: number

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'Null for what is not pending.',
    example: '2026-01-31T11:00:05.320Z',
  })
  next_attempt_at!: string | null

  @ApiProperty({
    type: AttemptDto,
    nullable: true,
    description: 'Null until there is one.',
    example: exampleAttempt,
  })
  last_attempt!: AttemptDto | null

  @ApiProperty({
    description: 'Whether it was made by pressing test. Tests count nowhere and are never repeated.',
    example: false,
  })
  test!: boolean

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Why a canceled delivery was: `retention` (it waited longer than events are kept) or `webhook_deleted`.',
    example: null,
  })
  canceled_reason!: string | null

  @ApiProperty({ format: 'date-time', example: '2026-01-31T11:00:00.100Z' })
  created_at!: string

  @ApiProperty({ type: String, nullable: true, format: 'date-time', example: null })
  completed_at!: string | null

  static from({ delivery, webhook, lastAttempt }: FoundDelivery): DeliveryDto {
    const status = deliveryStatus(delivery.status, webhook)
    return Object.assign(new DeliveryDto(), {
      id: encodeId('dlv', delivery.id),
      webhook_id: encodeId('wh', delivery.webhookId),
      event_id: encodeId('evt', delivery.eventId),
      event_type: delivery.eventType,
      sequence: delivery.sequence === null ? null : Number(delivery.sequence),
      status,
      attempt_count: delivery.attemptCount,
      next_attempt_at: status === 'pending' ? (delivery.nextAttemptAt?.toISOString() ?? null) : null,
      last_attempt: lastAttempt && AttemptDto.from(lastAttempt),
      test: delivery.test,
      canceled_reason: canceledReason(delivery, webhook),
      created_at: timeOf(delivery.id).toISOString(),
      completed_at: delivery.completedAt?.toISOString() ?? null,
    })
  }
}

export class DeliveryWithAttemptsDto extends DeliveryDto {
  @ApiProperty({
    type: AttemptDto,
    isArray: true,
    description: 'All of them, the oldest first.',
    example: [exampleAttempt],
  })
  attempts!: AttemptDto[]

  static with(found: FoundDelivery, attempts: readonly Attempt[]): DeliveryWithAttemptsDto {
    return Object.assign(new DeliveryWithAttemptsDto(), DeliveryDto.from(found), {
      attempts: attempts.map((attempt) => AttemptDto.from(attempt)),
    })
  }
}
