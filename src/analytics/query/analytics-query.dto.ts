import { ApiPropertyOptional } from '@nestjs/swagger'

import { isPlainText, IsWholeNumberText, Optional, Rule } from '../../platform/http/fields.js'
import { TextFilter } from '../../platform/http/text-filter.js'
import { ClickFilters } from '../../clicks/click-filters.dto.js'
import { dimensions } from '../dimensions.js'
import { defaultRows, mostRows } from '../limits.js'
import { intervals } from './range.js'
import type { Interval } from './range.js'
import { units } from './zoned-time.js'
import type { Unit } from './zoned-time.js'

const groups = ['time', ...dimensions, 'tag'] as const
export type Group = (typeof groups)[number]

function IsOneOf(values: readonly string[]): PropertyDecorator {
  return Rule('unknown_value', `Write one of ${values.join(', ')}.`, (value) =>
    values.includes(value as string),
  )
}

export class AnalyticsQuery extends ClickFilters {
  @ApiPropertyOptional({
    description:
      'The time up to now: whole hours, days or months of the time zone, the running one included. Not together with `start` and `end`.',
    enum: intervals,
    default: '30d',
    example: '30d',
  })
  @Optional()
  @IsOneOf(intervals)
  interval?: Interval

  @ApiPropertyOptional({
    description: 'The first moment: a date of the time zone, or a time. Only together with `end`.',
    example: '2026-01-01',
  })
  @Optional()
  @Rule('invalid_time', 'Write a date, or a time like 2026-01-31T12:00:00Z.', (value) =>
    isPlainText(value, 1, 35),
  )
  start?: string

  @ApiPropertyOptional({
    description: 'The first moment after it: a date means its beginning.',
    example: '2026-02-01',
  })
  @Optional()
  @Rule('invalid_time', 'Write a date, or a time like 2026-01-31T12:00:00Z.', (value) =>
    isPlainText(value, 1, 35),
  )
  end?: string

  @ApiPropertyOptional({
    description: 'A name of the IANA database: days, weeks and months are those of this zone.',
    default: 'UTC',
    example: 'Europe/Berlin',
  })
  @Optional()
  @Rule('unknown_timezone', 'Write a name of the IANA database, such as Europe/Berlin.', (value) =>
    isPlainText(value, 1, 50),
  )
  timezone?: string

  @ApiPropertyOptional({
    description: 'What the rows of the answer stand for; absent: only totals.',
    enum: groups,
    example: 'country',
  })
  @Optional()
  @IsOneOf(groups)
  group_by?: Group

  @ApiPropertyOptional({
    description: 'For `group_by=time`; absent: what gives about 24 to 120 points.',
    enum: units,
    example: 'day',
  })
  @Optional()
  @IsOneOf(units)
  granularity?: Unit

  @ApiPropertyOptional({
    description: 'With `previous`, the totals of the period of the same length before are given too.',
    enum: ['previous'],
    example: 'previous',
  })
  @Optional()
  @IsOneOf(['previous'])
  compare?: 'previous'

  @ApiPropertyOptional({
    description: `How many rows at most, 1 to ${mostRows}; those with the most clicks come first.`,
    default: String(defaultRows),
    example: '10',
    type: String,
    pattern: '^\\d+$',
  })
  @Optional()
  @IsWholeNumberText(1, mostRows)
  limit?: string

  @TextFilter('Only clicks of this link.', 'lnk_01kaj3v9z4f8hva3x7m2c5d6ne')
  link_id?: string[]

  @TextFilter('Only clicks of links that have this tag now.', 'sale')
  tag?: string[]
}
