import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import type { EventType } from '../../events/catalog.js'
import { eventTypeEnum, IsEventTypeList } from '../../events/event.dto.js'
import { count, enumSchema } from '../../platform/http/openapi/api-docs.js'
import type { BodyExamples } from '../../platform/http/openapi/api-docs.js'
import { parseDuration } from '../../platform/config/duration.js'
import { IsFlag, IsOneOf, isTimestamp, Optional, Rule } from '../../platform/http/input/fields.js'
import { replayed, replaySources } from './replay.entity.js'
import type { Replayed, ReplaySource } from './replay.entity.js'

function IsTimeOrAge(): PropertyDecorator {
  return Rule(
    'invalid_timestamp',
    'Must be a valid RFC 3339 time in the years 0000 to 9999 (UTC), such as 2026-01-31T12:00:00Z, or a duration before now, such as 1d: a whole number and a unit (s, m, h, d or w).',
    (value) => isTimestamp(value) || (typeof value === 'string' && parseDuration(value) !== null),
  )
}

@ApiSchema({ name: 'CreateReplay', description: 'Deliveries or events to send.' })
export class CreateReplay {
  static readonly examples: BodyExamples<CreateReplay> = {
    minimal: { since: '2026-01-30T00:00:00Z' },
    full: {
      since: '2026-01-30T00:00:00Z',
      until: '2026-01-31T12:00:00Z',
      status: 'failed',
      events: ['link.created', 'click'],
      from: 'deliveries',
      ignore_filter: true,
      dry_run: true,
    },
  }

  @ApiProperty({
    description:
      'Start of the range, inclusive, by the creation time of deliveries or the time of events. A time, or a duration before now, such as `1d`: a whole number and a unit (s, m, h, d or w).',
    example: '1d',
  })
  @IsTimeOrAge()
  since!: string

  @ApiPropertyOptional({
    description: 'End of the range, inclusive, in the same format as `since`. Default: now.',
    example: '2026-01-31T12:00:00Z',
  })
  @Optional()
  @IsTimeOrAge()
  until?: string

  @ApiPropertyOptional({
    ...enumSchema(
      'ReplayedStatus',
      'Deliveries to replay. `failed`: failed deliveries. `all`: failed, succeeded and canceled deliveries.',
      replayed,
    ),
    description: 'Which deliveries to replay. Cannot be combined with `"from": "events"`. Default: `failed`.',
    example: 'failed',
  })
  @Optional()
  @IsOneOf('invalid_status', replayed)
  status?: Replayed

  @ApiPropertyOptional({
    ...eventTypeEnum,
    isArray: true,
    description: 'Event types to send. Default: all.',
    example: ['link.created', 'click'] satisfies EventType[],
  })
  @Optional()
  @IsEventTypeList()
  events?: EventType[]

  @ApiPropertyOptional({
    ...enumSchema('ReplaySource', 'Source of a replay.', replaySources),
    description:
      '`deliveries`: redelivers deliveries of this webhook. `events`: sends events that the webhook currently subscribes to and that meet its filter, but that it never received, including those from before it was created. Default: `deliveries`.',
    example: 'deliveries',
  })
  @Optional()
  @IsOneOf('invalid_source', replaySources)
  from?: ReplaySource

  @ApiPropertyOptional({
    description:
      'Whether to send what the current filter of the webhook excludes. The tags of a restricted token that created the webhook always apply. Default: false.',
    example: false,
  })
  @Optional()
  @IsFlag()
  ignore_filter?: boolean

  @ApiPropertyOptional({
    description: 'Returns the number of deliveries without sending them. Default: false.',
    example: false,
  })
  @Optional()
  @IsFlag()
  dry_run?: boolean
}

@ApiSchema({ name: 'Replay', description: 'Result of a replay request.' })
export class ReplayDto {
  @ApiProperty({
    ...count,
    description: 'Number of deliveries that will be sent, or would be sent without `dry_run`.',
    example: 312,
  })
  deliveries!: number

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Note about events that are not included in the replay. Null if there is none.',
    example: null,
  })
  note!: string | null
}
