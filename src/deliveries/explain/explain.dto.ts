import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import type { EventType } from '../../events/catalog.js'
import { DeliverySummaryDto, eventTypeEnum, IsEventType } from '../../events/event.dto.js'
import { encodeId } from '../../platform/database/ids.js'
import { openEnumSchema } from '../../platform/http/openapi/api-docs.js'
import { IsText, Optional } from '../../platform/http/input/fields.js'
import { Page, PageQuery } from '../../platform/http/input/page.js'
import { toDeliverySummary } from '../delivery-status.js'
import type { LaneWaits, WebhookState } from '../delivery-status.js'
import { reasons } from './facts.js'
import type { ExplainedDelivery, Explanation, Reason } from './facts.js'
import { NextStepDto } from './next-step.dto.js'
import { noWebhook, unexplainedReasons } from './unexplained.js'
import type { Unexplained, UnexplainedReason } from './unexplained.js'

export class ExplainQuery extends PageQuery {
  @ApiPropertyOptional({
    description: 'ID of a webhook, even a deleted one. Default: all webhooks of the workspace.',
  })
  @Optional()
  @IsText(1, 100)
  webhook_id?: string
}

export class ExplainLinkQuery extends ExplainQuery {
  @ApiPropertyOptional({
    ...eventTypeEnum,
    description: 'Explains the latest event of this type. Default: the latest event of any type.',
  })
  @Optional()
  @IsEventType()
  type?: EventType
}

interface ExplainedParts extends LaneWaits {
  eventId: string
  webhookId: string
  webhook: WebhookState
  delivery: ExplainedDelivery | null
}

@ApiSchema({ name: 'Explanation', description: 'Explains why a webhook did or did not receive an event.' })
export class ExplanationDto {
  @ApiProperty({ description: 'ID of the event.', example: 'evt_01kaj4d0qae6svf0k9w3m7x2ht' })
  event_id!: string

  @ApiProperty({ description: 'ID of the webhook.', example: 'wh_01kaj3w4q2e6r8t0y1v3b5n7mz' })
  webhook_id!: string

  @ApiProperty({
    ...openEnumSchema('ExplanationReason', 'Reason code of an explanation.', reasons),
    description: 'Machine-readable reason.',
    example: 'waiting',
  })
  reason!: Reason

  @ApiProperty({
    description: 'Human-readable reason.',
    example:
      'Attempt 1 failed: The receiver responded with 503. Attempt 2 is scheduled for 2026-01-31T11:00:05.320Z.',
  })
  sentence!: string

  @ApiProperty({ type: NextStepDto, description: 'Suggested next step.' })
  next_step!: NextStepDto

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'Time of the next attempt. Null if the delivery is not pending.',
    example: '2026-01-31T11:00:05.320Z',
  })
  next_attempt_at!: string | null

  @ApiProperty({
    type: DeliverySummaryDto,
    nullable: true,
    description: 'Delivery to this webhook. Null if there is none.',
    example: null,
  })
  delivery!: DeliverySummaryDto | null

  static fromExplanation(
    { reason, sentence, nextStep, nextAttemptAt }: Explanation,
    { eventId, webhookId, webhook, pausedUntil, probeAt, head, batchSeconds, delivery }: ExplainedParts,
  ): ExplanationDto {
    return Object.assign(new ExplanationDto(), {
      event_id: encodeId('evt', eventId),
      webhook_id: encodeId('wh', webhookId),
      reason,
      sentence,
      next_step: NextStepDto.from(nextStep, { webhookId, deliveryId: delivery?.id ?? null }),
      next_attempt_at: nextAttemptAt?.toISOString() ?? null,
      delivery:
        delivery &&
        DeliverySummaryDto.from(
          toDeliverySummary(
            { ...delivery, webhookId },
            { ...webhook, pausedUntil, probeAt, head, batchSeconds },
          ),
        ),
    })
  }
}

/** A page of explanations of one event: the requested event, or the event of the requested click or link. */
@ApiSchema({
  name: 'SubjectExplanation',
  description: 'Explanations of an event for each webhook, or the reason why there are none.',
})
export class SubjectExplanationDto extends Page<ExplanationDto> {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'ID of the explained event. Null if there is no event.',
    example: 'evt_01kaj4d0qae6svf0k9w3m7x2ht',
  })
  event_id!: string | null

  @ApiProperty({
    ...eventTypeEnum,
    nullable: true,
    description: 'Type of the event. Null if there is no event.',
    example: 'click',
  })
  event_type!: EventType | null

  @ApiProperty({
    ...openEnumSchema('UnexplainedReason', 'Reason code for a missing explanation.', unexplainedReasons),
    nullable: true,
    description:
      'Reason code for a missing explanation: there is no event, or no webhook that could receive it. Null if there are explanations.',
    example: null,
  })
  reason!: UnexplainedReason | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Human-readable reason for a missing explanation. Null if there are explanations.',
    example: null,
  })
  sentence!: string | null

  @ApiProperty({
    type: NextStepDto,
    nullable: true,
    description: 'Suggested next step if there are no explanations. Null otherwise.',
    example: null,
  })
  next_step!: NextStepDto | null

  @ApiProperty({
    type: ExplanationDto,
    isArray: true,
    description:
      'One explanation per webhook, newest webhook first. Empty if there is no event or no webhook.',
  })
  declare readonly data: ExplanationDto[]

  @ApiProperty({ description: 'Whether more items follow this page.', example: false })
  declare readonly has_more: boolean

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Cursor of the next page. Null if there is none.',
    example: null,
  })
  declare readonly next_cursor: string | null

  /** Also used for the empty page after the last webhook. */
  static forEvent(eventId: string, type: EventType, page: Page<ExplanationDto>): SubjectExplanationDto {
    return this.build(page, { event_id: encodeId('evt', eventId), event_type: type }, null)
  }

  static withoutWebhooks(eventId: string, type: EventType): SubjectExplanationDto {
    const event = { event_id: encodeId('evt', eventId), event_type: type }
    return this.build(new Page([], false, null), event, noWebhook)
  }

  static withoutEvent(unexplained: Unexplained): SubjectExplanationDto {
    return this.build(new Page([], false, null), { event_id: null, event_type: null }, unexplained)
  }

  private static build(
    { data, has_more, next_cursor }: Page<ExplanationDto>,
    event: Pick<SubjectExplanationDto, 'event_id' | 'event_type'>,
    unexplained: Unexplained | null,
  ): SubjectExplanationDto {
    return Object.assign(new SubjectExplanationDto(data, has_more, next_cursor), {
      ...event,
      reason: unexplained?.reason ?? null,
      sentence: unexplained?.sentence ?? null,
      next_step: unexplained && NextStepDto.from(unexplained.nextStep, { webhookId: null, deliveryId: null }),
    })
  }
}
