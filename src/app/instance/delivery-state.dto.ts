import { ApiProperty, ApiSchema } from '@nestjs/swagger'

import type { CurrentPause } from '../../deliveries/delivery-pause.js'
import { openEnumSchema } from '../../platform/http/openapi/api-docs.js'

const statuses = ['active', 'paused'] as const

@ApiSchema({ name: 'DeliveryState', description: 'Whether deliveries are sent.' })
export class DeliveryStateDto {
  @ApiProperty({
    ...openEnumSchema(
      'DeliveryStateStatus',
      '`active`: deliveries are sent. `paused`: the operator paused all deliveries, which wait until the operator resumes them.',
      statuses,
    ),
    description: 'Whether deliveries are sent.',
    example: 'active',
  })
  status!: (typeof statuses)[number]

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Start of the pause. Null unless deliveries are paused.',
    example: null,
  })
  paused_at!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Reason that the operator gave for the pause. Null without one.',
    example: null,
  })
  reason!: string | null

  static from(pause: CurrentPause | null): DeliveryStateDto {
    return Object.assign(new DeliveryStateDto(), {
      status: pause ? 'paused' : 'active',
      paused_at: pause?.pausedAt.toISOString() ?? null,
      reason: pause?.reason ?? null,
    })
  }
}
