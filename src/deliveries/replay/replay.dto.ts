import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import type { EventType } from '../../events/catalogue.js'
import { eventTypeEnum } from '../../events/event.dto.js'
import { enumOf } from '../../platform/http/api-docs.js'
import type { BodyExamples } from '../../platform/http/api-docs.js'
import { IsOneOf, IsTimestampText, Optional } from '../../platform/http/fields.js'
import { IsEventTypeList } from '../event-type.rules.js'
import { replayed } from './replay.entity.js'
import type { Replayed } from './replay.entity.js'

@ApiSchema({ name: 'CreateReplay', description: 'Which deliveries to send again.' })
export class CreateReplay {
  static readonly examples: BodyExamples<CreateReplay> = {
    least: { since: '2026-01-30T00:00:00Z' },
    everything: {
      since: '2026-01-30T00:00:00Z',
      until: '2026-01-31T12:00:00Z',
      status: 'failed',
      events: ['link.created', 'click'],
    },
  }

  @ApiProperty({
    description: 'Deliveries made from this time on.',
    example: '2026-01-30T00:00:00Z',
  })
  @IsTimestampText()
  since!: string

  @ApiPropertyOptional({
    description: 'And no later than this. Absent: now.',
    example: '2026-01-31T12:00:00Z',
  })
  @Optional()
  @IsTimestampText()
  until?: string

  @ApiPropertyOptional({
    ...enumOf(
      'ReplayedStatus',
      '`failed`: what failed. `all`: what succeeded and what was canceled too.',
      replayed,
    ),
    description: 'Which of them. Absent: `failed`.',
    example: 'failed',
  })
  @Optional()
  @IsOneOf('invalid_status', replayed)
  status?: Replayed

  @ApiPropertyOptional({
    ...eventTypeEnum,
    isArray: true,
    description: 'Only events of these types. Absent: all.',
    example: ['link.created', 'click'] satisfies EventType[],
  })
  @Optional()
  @IsEventTypeList()
  events?: EventType[]
}

@ApiSchema({ name: 'Replay', description: 'What will be sent again.' })
export class ReplayDto {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'How many will be sent again.', example: 312 })
  deliveries!: number
}
