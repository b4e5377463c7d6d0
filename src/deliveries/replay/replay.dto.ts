import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import type { EventType } from '../../events/catalogue.js'
import { eventTypeEnum, IsEventTypeList } from '../../events/event.dto.js'
import { enumOf } from '../../platform/http/openapi/api-docs.js'
import type { BodyExamples } from '../../platform/http/openapi/api-docs.js'
import { parseDuration } from '../../platform/config/duration.js'
import { IsFlag, IsOneOf, isTimestamp, Optional, Rule } from '../../platform/http/input/fields.js'
import { replayed } from './replay.entity.js'
import type { Replayed } from './replay.entity.js'

const replaySources = ['deliveries', 'events'] as const
type ReplaySource = (typeof replaySources)[number]

function IsMoment(): PropertyDecorator {
  return Rule(
    'invalid_timestamp',
    'Write a time that exists, in the years 0000 to 9999 of UTC, like 2026-01-31T12:00:00Z, or how long ago it was as a whole number and a unit (s, m, h, d or w), like 1d.',
    (value) => isTimestamp(value) || (typeof value === 'string' && parseDuration(value) !== null),
  )
}

@ApiSchema({ name: 'CreateReplay', description: 'What to send, again or for the first time.' })
export class CreateReplay {
  static readonly examples: BodyExamples<CreateReplay> = {
    least: { since: '2026-01-30T00:00:00Z' },
    everything: {
      since: '2026-01-30T00:00:00Z',
      until: '2026-01-31T12:00:00Z',
      status: 'failed',
      events: ['link.created', 'click'],
      from: 'deliveries',
      dry_run: true,
    },
  }

  @ApiProperty({
    description:
      'Deliveries made from this time on, or events from this time on: a time, or how long ago as a whole number and s, m (minutes), h, d or w.',
    example: '1d',
  })
  @IsMoment()
  since!: string

  @ApiPropertyOptional({
    description: 'And no later than this, written as `since` is. Absent: now.',
    example: '2026-01-31T12:00:00Z',
  })
  @Optional()
  @IsMoment()
  until?: string

  @ApiPropertyOptional({
    ...enumOf(
      'ReplayedStatus',
      '`failed`: what failed. `all`: what succeeded and what was canceled too.',
      replayed,
    ),
    description: 'Which of them. Absent: `failed`. Not together with `"from": "events"`.',
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

  @ApiPropertyOptional({
    ...enumOf('ReplaySource', 'What a replay sends.', replaySources),
    description:
      'Absent: `deliveries`. `deliveries`: what was sent to this webhook is sent again. `events`: what this webhook never had is sent for the first time, also from before it was made, as far as it subscribes to it now.',
    example: 'deliveries',
  })
  @Optional()
  @IsOneOf('invalid_source', replaySources)
  from?: ReplaySource

  @ApiPropertyOptional({
    description: 'Only says how many it would be; nothing is sent.',
    example: false,
  })
  @Optional()
  @IsFlag()
  dry_run?: boolean
}

@ApiSchema({ name: 'Replay', description: 'What will be sent.' })
export class ReplayDto {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'How many will be sent, or would be in a dry run.',
    example: 312,
  })
  deliveries!: number

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What is not among them although one might expect it; null when there is nothing to say.',
    example: null,
  })
  note!: string | null
}
