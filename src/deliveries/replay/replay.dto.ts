import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger'

import { eventTypes } from '../../events/catalogue.js'
import type { EventType } from '../../events/catalogue.js'
import { IsTimestampText, Optional, Rule } from '../../platform/http/fields.js'
import { IsEventTypeList } from '../event-type.rules.js'
import { replayed } from './replay.entity.js'
import type { Replayed } from './replay.entity.js'

export class CreateReplay {
  @ApiProperty({
    format: 'date-time',
    description: 'Deliveries made from this time on.',
    example: '2026-01-30T00:00:00Z',
  })
  @IsTimestampText()
  since!: string

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'And no later than this. Absent: now.',
    example: '2026-01-31T12:00:00Z',
  })
  @Optional()
  @IsTimestampText()
  until?: string

  @ApiPropertyOptional({
    enum: replayed,
    default: 'failed',
    description: '`all`: what succeeded and what was canceled too.',
    example: 'failed',
  })
  @Optional()
  @Rule('invalid_status', `Write one of ${replayed.join(', ')}.`, (value) =>
    replayed.some((status) => status === value),
  )
  status?: Replayed

  @ApiPropertyOptional({
    enum: eventTypes,
    isArray: true,
    description: 'Only events of these types. Absent: all.',
    example: ['link.created', 'click'] satisfies EventType[],
  })
  @Optional()
  @IsEventTypeList()
  events?: EventType[]
}

export class ReplayDto {
  @ApiProperty({ description: 'How many will be sent again.', example: 312 })
  deliveries!: number
}
