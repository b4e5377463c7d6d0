import { ApiProperty, ApiSchema } from '@nestjs/swagger'

import { encodeId } from '../../platform/database/ids.js'
import type { DeliveryInShort } from '../../events/deliveries-of-event.js'
import { DeliveryInShortDto } from '../../events/event.dto.js'
import { enumOf } from '../../platform/http/api-docs.js'
import { IsText } from '../../platform/http/fields.js'
import type { Delivery } from '../delivery.entity.js'
import { deliveryStatus } from '../delivery-status.js'
import type { WebhookState } from '../delivery-status.js'
import { reasons } from './explanation.js'
import type { Explanation, Reason } from './explanation.js'

export class ExplainQuery {
  @ApiProperty({
    description: 'The webhook that is asked about; also one that was deleted.',
  })
  @IsText(1, 100)
  webhook_id!: string
}

interface Asked {
  eventId: string
  webhookId: string
  webhook: WebhookState
  delivery: Delivery | null
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
    type: DeliveryInShortDto,
    nullable: true,
    description: 'The delivery to this webhook; null when there is none.',
    example: null,
  })
  delivery!: DeliveryInShortDto | null

  static from({ reason, sentence, nextStep, nextAttemptAt }: Explanation, asked: Asked): ExplanationDto {
    return Object.assign(new ExplanationDto(), {
      event_id: encodeId('evt', asked.eventId),
      webhook_id: encodeId('wh', asked.webhookId),
      reason,
      sentence,
      next_step: nextStep,
      next_attempt_at: nextAttemptAt?.toISOString() ?? null,
      delivery: asked.delivery && DeliveryInShortDto.from(inShort(asked.delivery, asked.webhook)),
    })
  }
}

function inShort(delivery: Delivery, webhook: WebhookState): DeliveryInShort {
  const { id, webhookId, attemptCount, nextAttemptAt, completedAt } = delivery
  const status = deliveryStatus(delivery.status, webhook)
  return {
    id,
    webhookId,
    status,
    attemptCount,
    nextAttemptAt: status === 'pending' ? nextAttemptAt : null,
    completedAt,
  }
}
