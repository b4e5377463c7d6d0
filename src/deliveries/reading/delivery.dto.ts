import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import type { Caller } from '../../auth/caller.js'
import { encodeId, getIdTime } from '../../platform/database/ids.js'
import type { EventType } from '../../events/catalog.js'
import { deliveryStatuses } from '../../events/ports.js'
import type { DeliveryStatus } from '../../events/ports.js'
import { deliveryStatusEnum, eventTypeEnum, IsEventType } from '../../events/event.dto.js'
import { count, openEnumSchema } from '../../platform/http/openapi/api-docs.js'
import { IsOneOf, IsTrueText, Optional } from '../../platform/http/input/fields.js'
import { CreatedQuery } from '../../platform/http/input/page.js'
import { type ErrorClass, errorClasses } from '../../platform/outbound/outcome.js'
import { errorClassEnum } from '../../webhooks/webhook-health.dto.js'
import type { Attempt } from '../attempt.entity.js'
import type { Delivery } from '../delivery.entity.js'
import {
  getAwaitedHead,
  getCanceledReason,
  getCompletedAt,
  getDeliveryStatus,
  endReasons,
  getNextAttemptAt,
} from '../delivery-status.js'
import type { LaneWaits, WebhookState } from '../delivery-status.js'
import { AttemptDto, exampleAttempt } from './attempt.dto.js'

const subjectTypes = ['link', 'webhook'] as const
type SubjectType = (typeof subjectTypes)[number]

export class ListDeliveriesQuery extends CreatedQuery {
  @ApiPropertyOptional({ ...deliveryStatusEnum, description: 'Returns only deliveries with this status.' })
  @Optional()
  @IsOneOf('invalid_status', deliveryStatuses)
  status?: DeliveryStatus

  @ApiPropertyOptional({ ...eventTypeEnum, description: 'Returns only deliveries of events of this type.' })
  @Optional()
  @IsEventType()
  event?: EventType

  @ApiPropertyOptional({
    type: Boolean,
    enum: [true],
    description: '`true`: returns only deliveries with at least one attempt.',
  })
  @Optional()
  @IsTrueText()
  tried?: 'true'

  @ApiPropertyOptional({
    ...errorClassEnum,
    description: 'Returns only deliveries whose last attempt failed with an error of this class.',
  })
  @Optional()
  @IsOneOf('invalid_error_class', errorClasses)
  error_class?: ErrorClass
}

/** The object that an event is about. */
export interface Subject {
  type: SubjectType
  id: string
  name: string
}

/** A delivery with the data from other tables that its response includes. */
export interface FoundDelivery {
  delivery: Delivery
  webhook: WebhookState & LaneWaits
  lastAttempt: Attempt | null
  /** Null if the event is about no object or no longer kept, or if the caller may not read events. */
  subject: Subject | null
}

@ApiSchema({ name: 'DeliverySubject', description: 'The object that the event of a delivery is about.' })
export class SubjectDto implements Subject {
  @ApiProperty({
    ...openEnumSchema('DeliverySubjectType', 'Type of the object that an event is about.', subjectTypes),
    description: 'Type of the object.',
    example: 'link',
  })
  type!: SubjectType

  @ApiProperty({ description: 'ID of the object.', example: 'lnk_01kaj3x5r3f7s9v1x2z4b6n8qk' })
  id!: string

  @ApiProperty({
    description: 'Slug of the link, or URL of the webhook, when the event occurred.',
    example: 'spring',
  })
  name!: string
}

@ApiSchema({ name: 'Delivery', description: 'Delivery of an event to a webhook.' })
export class DeliveryDto {
  static readonly versionedBy: readonly string[] = [
    'id',
    'status',
    'sequence',
    'attempt_count',
    'next_attempt_at',
    'waiting_for',
    'completed_at',
  ]

  @ApiProperty({ description: 'ID of the delivery.', example: 'dlv_01kaj4d0qaf2bv7m3x9c6t1hwk' })
  id!: string

  @ApiProperty({ description: 'ID of the webhook.', example: 'wh_01kaj3w4q2e6r8t0y1v3b5n7mz' })
  webhook_id!: string

  @ApiProperty({ description: 'ID of the event.', example: 'evt_01kaj4d0qae6svf0k9w3m7x2ht' })
  event_id!: string

  @ApiProperty({ ...eventTypeEnum, description: 'Type of the event.', example: 'click' })
  event_type!: EventType

  @ApiProperty({
    type: SubjectDto,
    nullable: true,
    description:
      'Object that the event is about. Null if there is none, if the event is no longer kept, or if the token does not have the scope `events:read`.',
  })
  subject!: SubjectDto | null

  @ApiProperty({
    ...count,
    minimum: 1,
    nullable: true,
    description:
      'Position in the delivery order of the webhook. Null until the first attempt, and for tests.',
    example: 214,
  })
  sequence!: number | null

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'ID of the batch that contains the event. Null until the batch is formed, and for webhooks without batches. A redelivery gets a new batch.',
    example: null,
  })
  batch_id!: string | null

  @ApiProperty({
    ...deliveryStatusEnum,
    description: 'Status of the delivery.',
    example: 'pending',
  })
  status!: DeliveryStatus

  @ApiProperty({ ...count, description: 'Number of attempts so far.', example: 1 })
  attempt_count!: number

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description:
      'Expected time of the next attempt, according to the retry schedule, `Retry-After` and, for first attempts, the circuit breaker. In an ordered webhook, not before the next attempt of the delivery in `waiting_for`. Null if the delivery is not pending.',
    example: '2026-01-31T11:00:05.320Z',
  })
  next_attempt_at!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'ID of the delivery that an ordered webhook must send before this one. Null if this delivery is next or not pending, or if the webhook is not ordered.',
    example: null,
  })
  waiting_for!: string | null

  @ApiProperty({
    type: AttemptDto,
    nullable: true,
    description: 'Latest attempt. Null if there is none.',
    example: exampleAttempt,
  })
  last_attempt!: AttemptDto | null

  @ApiProperty({
    description: 'Whether this is a test. Tests are not counted in statistics and never retried.',
    example: false,
  })
  test!: boolean

  @ApiProperty({
    ...openEnumSchema(
      'CanceledReason',
      'Why a delivery was canceled. `retention`: it was pending for longer than events are kept. `webhook_deleted`: its webhook was deleted. `skipped`: a caller skipped it.',
      Object.values(endReasons),
    ),
    nullable: true,
    description: 'Why the delivery was canceled. Null if it was not canceled.',
    example: null,
  })
  canceled_reason!: string | null

  @ApiProperty({
    format: 'date-time',
    description: 'Time the delivery was created.',
    example: '2026-01-31T11:00:00.100Z',
  })
  created_at!: string

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'Time the delivery succeeded, failed or was canceled. Null until then.',
    example: null,
  })
  completed_at!: string | null

  /** Shows the subject, which is part of the event, only to callers who may read events. */
  static fromDelivery(
    { delivery, webhook, lastAttempt, subject }: FoundDelivery,
    caller: Caller,
  ): DeliveryDto {
    const head = getAwaitedHead(delivery, webhook)
    return Object.assign(new DeliveryDto(), {
      id: encodeId('dlv', delivery.id),
      webhook_id: encodeId('wh', delivery.webhookId),
      event_id: encodeId('evt', delivery.eventId),
      event_type: delivery.eventType,
      subject: caller.useScope('events:read') ? subject : null,
      sequence: delivery.sequence === null ? null : Number(delivery.sequence),
      batch_id: delivery.batchId && encodeId('bat', delivery.batchId),
      status: getDeliveryStatus(delivery.status, webhook),
      attempt_count: delivery.attemptCount,
      next_attempt_at: getNextAttemptAt(delivery, webhook)?.toISOString() ?? null,
      waiting_for: head && encodeId('dlv', head.id),
      last_attempt: lastAttempt && AttemptDto.fromAttempt(lastAttempt, delivery),
      test: delivery.test,
      canceled_reason: getCanceledReason(delivery, webhook),
      created_at: getIdTime(delivery.id).toISOString(),
      completed_at: getCompletedAt(delivery, webhook)?.toISOString() ?? null,
    })
  }
}

/** Redeliveries are not limited, and an attempt can have 16 KiB of the response. More than a schedule has by default. */
export const maxShownAttempts = 100

@ApiSchema({ name: 'DeliveryWithAttempts', description: 'A delivery with its attempts.' })
export class DeliveryWithAttemptsDto extends DeliveryDto {
  @ApiProperty({
    type: AttemptDto,
    isArray: true,
    description: `Attempts, oldest first. After more than ${maxShownAttempts} attempts, only the newest ${maxShownAttempts}.`,
    example: [exampleAttempt],
  })
  attempts!: AttemptDto[]

  static withAttempts(
    found: FoundDelivery,
    attempts: readonly Attempt[],
    caller: Caller,
  ): DeliveryWithAttemptsDto {
    return Object.assign(new DeliveryWithAttemptsDto(), DeliveryDto.fromDelivery(found, caller), {
      attempts: attempts.map((attempt) => AttemptDto.fromAttempt(attempt, found.delivery)),
    })
  }
}
