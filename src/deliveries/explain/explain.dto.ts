import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import type { EventType } from '../../events/catalogue.js'
import { DeliverySummaryDto, eventTypeEnum, IsEventType } from '../../events/event.dto.js'
import { encodeId } from '../../platform/database/ids.js'
import { enumOf } from '../../platform/http/openapi/api-docs.js'
import { IsText, Optional } from '../../platform/http/input/fields.js'
import { Page, PageQuery } from '../../platform/http/input/page.js'
import { summaryOf } from '../delivery-status.js'
import type { LaneWaits, WebhookState } from '../delivery-status.js'
import { noWebhook, reasons, unexplainedReasons } from './explanation.js'
import type { ExplainedDelivery, Explanation, Reason, Unexplained, UnexplainedReason } from './explanation.js'

export class ExplainQuery extends PageQuery {
  @ApiPropertyOptional({
    description:
      'The webhook that is asked about; also one that was deleted. Absent: all webhooks of the workspace, a page at a time.',
  })
  @Optional()
  @IsText(1, 100)
  webhook_id?: string
}

export class ExplainLinkQuery extends ExplainQuery {
  @ApiPropertyOptional({
    ...eventTypeEnum,
    description: 'The latest event of this type. Absent: of any type.',
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

@ApiSchema({ name: 'Explanation', description: 'Why a webhook did or did not get an event.' })
export class ExplanationDto {
  @ApiProperty({ description: 'The event that is asked about.', example: 'evt_01kaj4d0qae6svf0k9w3m7x2ht' })
  event_id!: string

  @ApiProperty({ description: 'The webhook that is asked about.', example: 'wh_01kaj3w4q2e6r8t0y1v3b5n7mz' })
  webhook_id!: string

  @ApiProperty({
    ...enumOf('ExplanationReason', 'Why a webhook did or did not get an event, for programs.', reasons),
    description: 'The reason, for programs.',
    example: 'waiting',
  })
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
    description: 'When it is tried next; null for what is not pending.',
    example: '2026-01-31T11:00:05.320Z',
  })
  next_attempt_at!: string | null

  @ApiProperty({
    type: DeliverySummaryDto,
    nullable: true,
    description: 'The delivery to this webhook; null when there is none.',
    example: null,
  })
  delivery!: DeliverySummaryDto | null

  static from(
    { reason, sentence, nextStep, nextAttemptAt }: Explanation,
    { eventId, webhookId, webhook, pausedUntil, probeAt, delivery }: ExplainedParts,
  ): ExplanationDto {
    return Object.assign(new ExplanationDto(), {
      event_id: encodeId('evt', eventId),
      webhook_id: encodeId('wh', webhookId),
      reason,
      sentence,
      next_step: nextStep,
      next_attempt_at: nextAttemptAt?.toISOString() ?? null,
      delivery:
        delivery &&
        DeliverySummaryDto.from(summaryOf({ ...delivery, webhookId }, { ...webhook, pausedUntil, probeAt })),
    })
  }
}

/** A page of explanations, and the event that they are about: the one asked for, or what a click or a link became. */
@ApiSchema({
  name: 'SubjectExplanation',
  description:
    'An event, or what a click or a link became, explained for each webhook; or why there is nothing to explain.',
})
export class SubjectExplanationDto extends Page<ExplanationDto> {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The event that is explained; null where there is none.',
    example: 'evt_01kaj4d0qae6svf0k9w3m7x2ht',
  })
  event_id!: string | null

  @ApiProperty({
    ...eventTypeEnum,
    nullable: true,
    description: 'The type of the event; null where there is none.',
    example: 'click',
  })
  event_type!: EventType | null

  @ApiProperty({
    ...enumOf('UnexplainedReason', 'Why there is nothing to explain, for programs.', unexplainedReasons),
    nullable: true,
    description:
      'Why there is no explanation: there is no event, or no webhook that could get it. Null where there is one.',
    example: null,
  })
  reason!: UnexplainedReason | null

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
    description:
      'One for each webhook, the newest webhook first; empty where there is no event or no webhook.',
  })
  declare readonly data: ExplanationDto[]

  @ApiProperty({ description: 'Whether there is more.', example: false })
  declare readonly has_more: boolean

  @ApiProperty({ type: String, nullable: true, description: 'Where to go on.', example: null })
  declare readonly next_cursor: string | null

  /** Also for a page after the last webhook, which is empty. */
  static ofEvent(eventId: string, type: EventType, page: Page<ExplanationDto>): SubjectExplanationDto {
    return this.made(page, { event_id: encodeId('evt', eventId), event_type: type }, null)
  }

  static ofEventForNobody(eventId: string, type: EventType): SubjectExplanationDto {
    const event = { event_id: encodeId('evt', eventId), event_type: type }
    return this.made(new Page([], false, null), event, noWebhook)
  }

  static ofNone(why: Unexplained): SubjectExplanationDto {
    return this.made(new Page([], false, null), { event_id: null, event_type: null }, why)
  }

  private static made(
    { data, has_more, next_cursor }: Page<ExplanationDto>,
    event: Pick<SubjectExplanationDto, 'event_id' | 'event_type'>,
    why: Unexplained | null,
  ): SubjectExplanationDto {
    return Object.assign(new SubjectExplanationDto(data, has_more, next_cursor), {
      ...event,
      reason: why?.reason ?? null,
      sentence: why?.sentence ?? null,
      next_step: why?.nextStep ?? null,
    })
  }
}
