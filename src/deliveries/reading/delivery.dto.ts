import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import { encodeId, timeOf } from '../../platform/database/ids.js'
import type { EventType } from '../../events/catalogue.js'
import { deliveryStatuses } from '../../events/ports.js'
import type { DeliveryStatus } from '../../events/ports.js'
import { deliveryStatusEnum, eventTypeEnum, IsEventType } from '../../events/event.dto.js'
import { enumOf } from '../../platform/http/openapi/api-docs.js'
import { IsOneOf, Optional } from '../../platform/http/input/fields.js'
import { CreatedQuery } from '../../platform/http/input/page.js'
import type { Attempt } from '../attempt.entity.js'
import type { Delivery } from '../delivery.entity.js'
import { canceledReason, completedAt, deliveryStatus, endReasons, nextAttemptAt } from '../delivery-status.js'
import type { LaneWaits, WebhookState } from '../delivery-status.js'
import { AttemptDto, exampleAttempt } from './attempt.dto.js'

export class ListDeliveriesQuery extends CreatedQuery {
  @ApiPropertyOptional({ ...deliveryStatusEnum, description: 'Only those that stand so.' })
  @Optional()
  @IsOneOf('invalid_status', deliveryStatuses)
  status?: DeliveryStatus

  @ApiPropertyOptional({ ...eventTypeEnum, description: 'Only events of this type.' })
  @Optional()
  @IsEventType()
  event?: EventType
}

/** A delivery, and what its record shows from other tables. */
export interface FoundDelivery {
  delivery: Delivery
  webhook: WebhookState & LaneWaits
  lastAttempt: Attempt | null
}

@ApiSchema({ name: 'Delivery', description: 'The sending of one event to one webhook, and how it stands.' })
export class DeliveryDto {
  static readonly versionedBy: readonly string[] = [
    'id',
    'status',
    'sequence',
    'attempt_count',
    'next_attempt_at',
    'completed_at',
  ]

  @ApiProperty({ description: 'Its id.', example: 'dlv_01kaj4d0qaf2bv7m3x9c6t1hwk' })
  id!: string

  @ApiProperty({ description: 'The webhook that it goes to.', example: 'wh_01kaj3w4q2e6r8t0y1v3b5n7mz' })
  webhook_id!: string

  @ApiProperty({ description: 'The event that is sent.', example: 'evt_01kaj4d0qae6svf0k9w3m7x2ht' })
  event_id!: string

  @ApiProperty({ ...eventTypeEnum, description: 'What happened.', example: 'click' })
  event_type!: EventType

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    nullable: true,
    description:
      'Its place in the order of this webhook; null until it is first taken to be sent, and for tests.',
    example: 214,
  })
  sequence!: number | null

  @ApiProperty({
    ...deliveryStatusEnum,
    description: 'How it stands.',
    example: 'pending',
  })
  status!: DeliveryStatus

  @ApiProperty({ type: 'integer', minimum: 0, description: 'How often it was tried.', example: 1 })
  attempt_count!: number

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description:
      'When it is tried next, as far as is known now: when its own time has come, a pause that the receiver asked for is over and, for what is no retry, the circuit lets it through. Null for what is not pending.',
    example: '2026-01-31T11:00:05.320Z',
  })
  next_attempt_at!: string | null

  @ApiProperty({
    type: AttemptDto,
    nullable: true,
    description: 'The newest attempt; null until there is one.',
    example: exampleAttempt,
  })
  last_attempt!: AttemptDto | null

  @ApiProperty({
    description: 'Whether it was made by pressing test. Tests count nowhere and are never repeated.',
    example: false,
  })
  test!: boolean

  @ApiProperty({
    ...enumOf(
      'CanceledReason',
      'Why a delivery was canceled: `retention`, it waited longer than events are kept, or `webhook_deleted`.',
      Object.values(endReasons),
    ),
    nullable: true,
    description: 'Why it was canceled; null for what was not.',
    example: null,
  })
  canceled_reason!: string | null

  @ApiProperty({ format: 'date-time', description: 'When it was made.', example: '2026-01-31T11:00:00.100Z' })
  created_at!: string

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'When it succeeded, failed for good or was canceled; null before.',
    example: null,
  })
  completed_at!: string | null

  static from({ delivery, webhook, lastAttempt }: FoundDelivery): DeliveryDto {
    return Object.assign(new DeliveryDto(), {
      id: encodeId('dlv', delivery.id),
      webhook_id: encodeId('wh', delivery.webhookId),
      event_id: encodeId('evt', delivery.eventId),
      event_type: delivery.eventType,
      sequence: delivery.sequence === null ? null : Number(delivery.sequence),
      status: deliveryStatus(delivery.status, webhook),
      attempt_count: delivery.attemptCount,
      next_attempt_at: nextAttemptAt(delivery, webhook)?.toISOString() ?? null,
      last_attempt: lastAttempt && AttemptDto.from(lastAttempt, delivery),
      test: delivery.test,
      canceled_reason: canceledReason(delivery, webhook),
      created_at: timeOf(delivery.id).toISOString(),
      completed_at: completedAt(delivery, webhook)?.toISOString() ?? null,
    })
  }
}

@ApiSchema({ name: 'DeliveryWithAttempts', description: 'A delivery, and everything that was tried.' })
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
      attempts: attempts.map((attempt) => AttemptDto.from(attempt, found.delivery)),
    })
  }
}
