import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger'

import { encodeId } from '../../platform/database/ids.js'
import { eventTypes } from '../../events/catalogue.js'
import type { EventType } from '../../events/catalogue.js'
import { IsText, Optional } from '../../platform/http/fields.js'
import { Page, PageQuery } from '../../platform/http/page.js'
import { IsEventType } from '../event-type.rules.js'
import { deliveryStatus, deliveryStatuses } from '../delivery-status.js'
import type { DeliveryStatus, WebhookState } from '../delivery-status.js'
import { noEventReasons } from './no-event.js'
import type { NoEvent, NoEventReason } from './no-event.js'
import { reasons } from './explanation.js'
import type { ExplainedDelivery, Explanation, Reason } from './explanation.js'

export class ExplainQuery extends PageQuery {
  @ApiPropertyOptional({
    description:
      'The webhook that is asked about; also one that was deleted. Absent: all webhooks of the workspace, a page at a time.',
    example: 'wh_01kaj3w4q2e6r8t0y1v3b5n7mz',
  })
  @Optional()
  @IsText(1, 100)
  webhook_id?: string
}

export class ExplainLinkQuery extends ExplainQuery {
  @ApiPropertyOptional({
    enum: eventTypes,
    description: 'The latest event of this type. Absent: of any type.',
    example: 'link.updated',
  })
  @Optional()
  @IsEventType()
  type?: EventType
}

export class ShortDeliveryDto {
  @ApiProperty({ example: 'dlv_01kaj4d0qaf2bv7m3x9c6t1hwk' })
  id!: string

  @ApiProperty({ enum: deliveryStatuses, example: 'pending' })
  status!: DeliveryStatus

  @ApiProperty({ example: 1 })
  attempt_count!: number

  @ApiProperty({ type: String, nullable: true, format: 'date-time', example: null })
  completed_at!: string | null

  static from(delivery: ExplainedDelivery, webhook: WebhookState): ShortDeliveryDto {
    return Object.assign(new ShortDeliveryDto(), {
      id: encodeId('delivery', delivery.id),
      status: deliveryStatus(delivery.status, webhook),
      attempt_count: delivery.attemptCount,
      completed_at: delivery.completedAt?.toISOString() ?? null,
    })
  }
}

interface Asked {
  eventId: string
  webhookId: string
  webhook: WebhookState
  delivery: ExplainedDelivery | null
}

export class ExplanationDto {
  @ApiProperty({ example: 'evt_01kaj4d0qae6svf0k9w3m7x2ht' })
  event_id!: string

  @ApiProperty({ example: 'wh_01kaj3w4q2e6r8t0y1v3b5n7mz' })
  webhook_id!: string

  @ApiProperty({ enum: reasons, example: 'waiting' })
  reason!: Reason

  @ApiProperty({
    description: 'The reason in words.',
    example:
      'Attempt 1 failed: The receiver answered 503. Attempt 2 will be made at 2026-01-31T11:00:05.320Z.',
  })
  sentence!: string

  @ApiProperty({
    description: 'What can be done.',
    example: 'Wait, or POST to /redeliver of the delivery to have it sent now.',
  })
  next_step!: string

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'Null for what is not pending.',
    example: '2026-01-31T11:00:05.320Z',
  })
  next_attempt_at!: string | null

  @ApiProperty({
    type: ShortDeliveryDto,
    nullable: true,
    description: 'Null when there is none.',
    example: null,
  })
  delivery!: ShortDeliveryDto | null

  static from({ reason, sentence, nextStep, nextAttemptAt }: Explanation, asked: Asked): ExplanationDto {
    return Object.assign(new ExplanationDto(), {
      event_id: encodeId('event', asked.eventId),
      webhook_id: encodeId('webhook', asked.webhookId),
      reason,
      sentence,
      next_step: nextStep,
      next_attempt_at: nextAttemptAt?.toISOString() ?? null,
      delivery: asked.delivery && ShortDeliveryDto.from(asked.delivery, asked.webhook),
    })
  }
}

/** A page of explanations, and the event that they are about: what a click or a link became. */
export class SubjectExplanationDto extends Page<ExplanationDto> {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The event that is explained; null where there is none.',
    example: 'evt_01kaj4d0qae6svf0k9w3m7x2ht',
  })
  event_id!: string | null

  @ApiProperty({ enum: eventTypes, nullable: true, example: 'click' })
  event_type!: EventType | null

  @ApiProperty({
    enum: noEventReasons,
    nullable: true,
    description: 'Why there is no event; null where there is one.',
    example: null,
  })
  reason!: NoEventReason | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The same in words.',
    example: null,
  })
  sentence!: string | null

  @ApiProperty({ type: String, nullable: true, description: 'What can be done then.', example: null })
  next_step!: string | null

  @ApiProperty({
    type: ExplanationDto,
    isArray: true,
    description: 'One for each webhook, the newest webhook first; empty where there is no event.',
  })
  declare readonly data: ExplanationDto[]

  @ApiProperty({ example: false })
  declare readonly has_more: boolean

  @ApiProperty({ type: String, nullable: true, example: null })
  declare readonly next_cursor: string | null

  static ofEvent(eventId: string, type: EventType, page: Page<ExplanationDto>): SubjectExplanationDto {
    const { data, has_more, next_cursor } = page
    return Object.assign(new SubjectExplanationDto(data, has_more, next_cursor), {
      event_id: encodeId('event', eventId),
      event_type: type,
      reason: null,
      sentence: null,
      next_step: null,
    })
  }

  static ofNone({ reason, sentence, nextStep }: NoEvent): SubjectExplanationDto {
    return Object.assign(new SubjectExplanationDto([], false, null), {
      event_id: null,
      event_type: null,
      reason,
      sentence,
      next_step: nextStep,
    })
  }
}
