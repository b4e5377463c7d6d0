import { ApiPropertyOptional } from '@nestjs/swagger'

import { enumOf } from '../../platform/http/openapi/api-docs.js'
import { isPlainText, IsOneOf, IsWholeNumberText, Optional, Rule } from '../../platform/http/input/fields.js'
import { TextFilter } from '../../platform/http/input/text-filter.js'
import { ClickFilters } from '../../clicks/click-filters.dto.js'
import { dimensions } from '../dimensions.js'
import { defaultRows, mostRows } from '../limits.js'
import { intervals } from './range.js'
import type { Interval } from './range.js'
import { units } from './zoned-time.js'
import type { Unit } from './zoned-time.js'

const linkGroups = ['time', ...dimensions.filter((dimension) => dimension !== 'link')] as const
const groups = [...linkGroups, 'link', 'tag'] as const

/** What can be asked of one link as well as of the workspace. */
abstract class FiguresQuery extends ClickFilters {
  abstract group_by?: (typeof groups)[number]

  @ApiPropertyOptional({
    description:
      'The time up to now: whole hours, days or months of the time zone, the running one included. Absent: `30d`. Not together with `start` and `end`.',
    ...enumOf('AnalyticsInterval', 'A time up to now.', intervals),
  })
  @Optional()
  @IsOneOf('unknown_value', intervals)
  interval?: Interval

  @ApiPropertyOptional({
    description: 'The first moment: a date of the time zone, or a time. Only together with `end`.',
  })
  @Optional()
  @Rule('invalid_time', 'Write a date, or a time like 2026-01-31T12:00:00Z.', (value) =>
    isPlainText(value, 1, 35),
  )
  start?: string

  @ApiPropertyOptional({
    description: 'The first moment after it: a date means its beginning.',
  })
  @Optional()
  @Rule('invalid_time', 'Write a date, or a time like 2026-01-31T12:00:00Z.', (value) =>
    isPlainText(value, 1, 35),
  )
  end?: string

  @ApiPropertyOptional({
    description: 'A name of the IANA database: days, weeks and months are those of this zone. Absent: UTC.',
  })
  @Optional()
  @Rule('unknown_timezone', 'Write a name of the IANA database, such as Europe/Berlin.', (value) =>
    isPlainText(value, 1, 50),
  )
  timezone?: string

  @ApiPropertyOptional({
    description: 'For `group_by=time`; absent: what gives about 24 to 120 points.',
    ...enumOf('AnalyticsGranularity', 'The length of the rows of a series.', units),
  })
  @Optional()
  @IsOneOf('unknown_value', units)
  granularity?: Unit

  @ApiPropertyOptional({
    description: 'With `previous`, the totals of the period of the same length before are given too.',
    ...enumOf('AnalyticsComparison', 'What figures are compared with.', ['previous']),
  })
  @Optional()
  @IsOneOf('unknown_value', ['previous'])
  compare?: 'previous'

  @ApiPropertyOptional({
    description: `How many rows at most, 1 to ${mostRows}; those with the most clicks come first. Absent: ${defaultRows}.`,
  })
  @Optional()
  @IsWholeNumberText(1, mostRows)
  limit?: string
}

export class LinkAnalyticsQuery extends FiguresQuery {
  @ApiPropertyOptional({
    description: 'What the rows of the answer stand for; absent: only totals.',
    ...enumOf('LinkAnalyticsGroup', 'What the rows of figures of a link stand for.', linkGroups),
  })
  @Optional()
  @IsOneOf('unknown_value', linkGroups)
  group_by?: (typeof linkGroups)[number]
}

export class AnalyticsQuery extends FiguresQuery {
  @ApiPropertyOptional({
    description: 'What the rows of the answer stand for; absent: only totals.',
    ...enumOf('AnalyticsGroup', 'What the rows of figures stand for.', groups),
  })
  @Optional()
  @IsOneOf('unknown_value', groups)
  group_by?: (typeof groups)[number]

  @TextFilter('Only clicks of this link.')
  link_id?: string[]

  @TextFilter('Only clicks of links that have this tag now.')
  tag?: string[]
}
