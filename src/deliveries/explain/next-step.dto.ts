import { ApiProperty, ApiSchema } from '@nestjs/swagger'

import { encodeId } from '../../platform/database/ids.js'
import { openEnumSchema } from '../../platform/http/openapi/api-docs.js'
import { nextActions } from './facts.js'
import type { NextAction, NextStep } from './facts.js'

@ApiSchema({
  name: 'NextStep',
  description:
    'Suggested next step: a machine-readable action with the IDs it needs, and a human-readable message.',
})
export class NextStepDto {
  @ApiProperty({
    ...openEnumSchema(
      'NextAction',
      'Action of a next step. `redeliver`: redeliver the delivery. `skip`: skip the delivery, which blocks later ones. `test`: send a test. `resume`: set the status of the webhook to `active`. `replay`: replay events with `"from": "events"`. `update`: change the event types or the filter of the webhook. `none`: no action is needed, or the API has none.',
      nextActions,
    ),
    description: 'Machine-readable action.',
    example: 'redeliver',
  })
  action!: NextAction

  @ApiProperty({
    description: 'Human-readable next step.',
    example: 'Wait, or redeliver the event to send it now.',
  })
  message!: string

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'ID of the webhook that the action is for. Null if the action is `none`.',
    example: 'wh_01kaj3w4q2e6r8t0y1v3b5n7mz',
  })
  webhook_id!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'ID of the delivery to redeliver or skip. Null for other actions.',
    example: 'dlv_01kaj4d0qaf2bv7m3x9c6t1hwk',
  })
  delivery_id!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'Start of the replay. Null for other actions.',
    example: null,
  })
  since!: string | null

  static from(
    { action, message, since, deliveryId: other }: NextStep,
    { webhookId, deliveryId }: { webhookId: string | null; deliveryId: string | null },
  ): NextStepDto {
    const isNone = action === 'none'
    const target = action === 'redeliver' ? deliveryId : (other ?? null)
    return {
      action,
      message,
      webhook_id: isNone || webhookId === null ? null : encodeId('wh', webhookId),
      delivery_id: target && encodeId('dlv', target),
      since: since?.toISOString() ?? null,
    }
  }
}
