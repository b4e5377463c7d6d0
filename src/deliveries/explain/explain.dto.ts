import { ApiProperty } from '@nestjs/swagger'

import { encodeId } from '../../platform/database/ids.js'
import { IsText } from '../../platform/http/fields.js'
import type { Delivery } from '../delivery.entity.js'
import { deliveryStatus, deliveryStatuses } from '../delivery-status.js'
import type { DeliveryStatus, WebhookState } from '../delivery-status.js'
import { reasons } from './explanation.js'
import type { Explanation, Reason } from './explanation.js'

export class ExplainQuery {
  @ApiProperty({
    description: 'The webhook that is asked about; also one that was deleted.',
    example: 'wh_01kaj3w4q2e6r8t0y1v3b5n7mz',
  })
  @IsText(1, 100)
  webhook_id!: string
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

  static from(delivery: Delivery, webhook: WebhookState): ShortDeliveryDto {
    return Object.assign(new ShortDeliveryDto(), {
      id: encodeId('dlv', delivery.id),
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
  delivery: Delivery | null
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
      event_id: encodeId('evt', asked.eventId),
      webhook_id: encodeId('wh', asked.webhookId),
      reason,
      sentence,
      next_step: nextStep,
      next_attempt_at: nextAttemptAt?.toISOString() ?? null,
      delivery: asked.delivery && ShortDeliveryDto.from(asked.delivery, asked.webhook),
    })
  }
}
