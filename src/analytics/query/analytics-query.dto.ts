import { ApiPropertyOptional } from '@nestjs/swagger'

import { enumSchema } from '../../platform/http/openapi/api-docs.js'
import { isPlainText, IsOneOf, IsWholeNumberText, Optional, Rule } from '../../platform/http/input/fields.js'
import { TextFilter } from '../../platform/http/input/text-filter.js'
import { ClickFilters } from '../../clicks/click-filters.dto.js'
import { dimensions } from '../dimensions.js'
import { defaultRows, maxRows } from '../limits.js'
import { sorts } from './figures-statement.js'
import type { Sort } from './figures-statement.js'
import { intervals } from './range.js'
import type { Interval } from './range.js'
import { units } from './zoned-time.js'
import type { Unit } from './zoned-time.js'

const linkGroups = ['time', ...dimensions.filter((dimension) => dimension !== 'link')] as const
const groups = [...linkGroups, 'link', 'tag'] as const

/** The parameters for both links and workspaces. */
abstract class FiguresQuery extends ClickFilters {
  abstract group_by?: (typeof groups)[number]

  @ApiPropertyOptional({
    description:
      'Range up to now, in whole hours, days or months of the time zone, including the current one. Cannot be combined with `start` and `end`. Default: `30d`.',
    ...enumSchema('AnalyticsInterval', 'A range up to now.', intervals),
  })
  @Optional()
  @IsOneOf('unknown_value', intervals)
  interval?: Interval

  @ApiPropertyOptional({
    description: 'Start of the range: a date (00:00 in `timezone`) or a time. Requires `end`.',
  })
  @Optional()
  @Rule('invalid_time', 'Must be a date, or a time such as 2026-01-31T12:00:00Z.', (value) =>
    isPlainText(value, 1, 35),
  )
  start?: string

  @ApiPropertyOptional({
    description: 'End of the range, exclusive. A date means 00:00 in `timezone`.',
  })
  @Optional()
  @Rule('invalid_time', 'Must be a date, or a time such as 2026-01-31T12:00:00Z.', (value) =>
    isPlainText(value, 1, 35),
  )
  end?: string

  @ApiPropertyOptional({
    description: 'IANA time zone that defines days, weeks and months. Default: UTC.',
  })
  @Optional()
  @Rule('unknown_timezone', 'Must be an IANA time zone, such as Europe/Berlin.', (value) =>
    isPlainText(value, 1, 50),
  )
  timezone?: string

  @ApiPropertyOptional({
    description:
      'Time between two points, with `group_by=time`. Default: the granularity that gives 24 to 120 points.',
    ...enumSchema('AnalyticsGranularity', 'Time between two points of a series.', units),
  })
  @Optional()
  @IsOneOf('unknown_value', units)
  granularity?: Unit

  @ApiPropertyOptional({
    description:
      'With `previous`, the response includes the totals of the previous period of the same length.',
    ...enumSchema('AnalyticsComparison', 'Period to compare with.', ['previous']),
  })
  @Optional()
  @IsOneOf('unknown_value', ['previous'])
  compare?: 'previous'

  @ApiPropertyOptional({
    description: 'Order of the groups. Default: `-clicks`.',
    ...enumSchema('AnalyticsSort', 'Most clicks or most human clicks first.', sorts),
  })
  @Optional()
  @IsOneOf('unknown_value', sorts)
  sort?: Sort

  @ApiPropertyOptional({
    format: 'int64',
    description: `Maximum number of rows, from 1 to ${maxRows}. The first rows in the order of \`sort\` are returned. Default: ${defaultRows}.`,
  })
  @Optional()
  @IsWholeNumberText(1, maxRows)
  limit?: string
}

export class LinkAnalyticsQuery extends FiguresQuery {
  @ApiPropertyOptional({
    description: 'Dimension of the rows. Default: only totals.',
    ...enumSchema('LinkAnalyticsGroup', 'Dimension of the rows for a link.', linkGroups),
  })
  @Optional()
  @IsOneOf('unknown_value', linkGroups)
  group_by?: (typeof linkGroups)[number]
}

export class AnalyticsQuery extends FiguresQuery {
  @ApiPropertyOptional({
    description: 'Dimension of the rows. Default: only totals.',
    ...enumSchema('AnalyticsGroup', 'Dimension of the rows.', groups),
  })
  @Optional()
  @IsOneOf('unknown_value', groups)
  group_by?: (typeof groups)[number]

  @TextFilter('ID of the link.')
  link_id?: string[]

  @TextFilter('Tag that the link currently has.')
  tag?: string[]
}
