import { ApiProperty, ApiSchema, getSchemaPath } from '@nestjs/swagger'

import { count } from '../../platform/http/openapi/api-docs.js'
import { units } from './zoned-time.js'
import type { Unit } from './zoned-time.js'

@ApiSchema({ name: 'AnalyticsCounts', description: 'Click and visitor counts.' })
export class CountsDto {
  @ApiProperty({ ...count, description: 'All clicks: human clicks and bots.', example: 120 })
  clicks!: number

  @ApiProperty({
    ...count,
    description: 'Human clicks: clicks that are not from known bots.',
    example: 100,
  })
  human!: number

  @ApiProperty({
    ...count,
    nullable: true,
    description:
      'Visitors: unique people, counted once per UTC day and summed over days. Null in rows of a dimension, if the query has filters other than a single link, and if the range or point is not whole UTC days.',
    example: 80,
  })
  visitors!: number | null
}

@ApiSchema({ name: 'AnalyticsMeta', description: 'The query with defaults applied.' })
class AnalyticsMetaDto {
  @ApiProperty({
    format: 'date-time',
    description: 'Start of the range.',
    example: '2026-01-01T00:00:00.000Z',
  })
  start!: string

  @ApiProperty({
    format: 'date-time',
    description: 'End of the range, exclusive.',
    example: '2026-01-31T00:00:00.000Z',
  })
  end!: string

  @ApiProperty({ description: 'IANA time zone that defines days, weeks and months.', example: 'UTC' })
  timezone!: string

  @ApiProperty({
    type: String,
    enum: [...units, null],
    nullable: true,
    description: 'Time between two points of a series.',
    example: null,
  })
  granularity!: Unit | null

  @ApiProperty({ type: String, nullable: true, description: 'Dimension of the rows.', example: 'country' })
  group_by!: string | null

  @ApiProperty({
    format: 'date-time',
    description: 'Every click recorded before this time is counted.',
    example: '2026-01-30T12:00:00.000Z',
  })
  as_of!: string

  @ApiProperty({
    description:
      'Whether rare values are counted in `other` instead of in their own rows. Per day, at most 5,000 values of a dimension are counted separately. Values seen in the last 30 days have priority. Totals, series, links and tags are always complete.',
    example: false,
  })
  truncated!: boolean
}

@ApiSchema({
  name: 'AnalyticsRow',
  description: 'A row of the result, with `start` if grouped by time, otherwise with `key`.',
})
export class AnalyticsRowDto extends CountsDto {
  @ApiProperty({
    required: false,
    format: 'date-time',
    description: 'Start of this point of a series.',
    example: '2026-01-01T00:00:00.000Z',
  })
  start?: string

  @ApiProperty({
    required: false,
    type: String,
    nullable: true,
    description: 'Value of the dimension. Null if unknown.',
    example: 'DE',
  })
  key?: string | null

  @ApiProperty({
    required: false,
    type: String,
    nullable: true,
    description: 'Country of the city.',
    example: 'DE',
  })
  country?: string | null

  @ApiProperty({
    required: false,
    type: String,
    nullable: true,
    description: 'Region of the city.',
    example: 'DE-BE',
  })
  region?: string | null

  @ApiProperty({ required: false, description: 'Slug of the link.', example: 'spring' })
  slug?: string

  @ApiProperty({
    required: false,
    description: 'Short URL of the link.',
    example: 'https://go.example/spring',
  })
  short_url?: string
}

@ApiSchema({ name: 'Analytics', description: 'Click analytics.' })
export class AnalyticsDto {
  @ApiProperty({ description: 'The query with defaults applied.' })
  meta!: AnalyticsMetaDto

  @ApiProperty({ description: 'Counts of the whole range.' })
  totals!: CountsDto

  @ApiProperty({
    type: CountsDto,
    nullable: true,
    description: 'Totals of the previous period, with `compare=previous`.',
    example: null,
  })
  previous!: CountsDto | null

  @ApiProperty({
    type: 'array',
    items: { $ref: getSchemaPath(AnalyticsRowDto) },
    description:
      'Rows of the result. With `group_by=time`, one row per point in time, oldest first, including points without clicks. Otherwise one row per value, in the order of `sort`.',
    example: [{ key: 'DE', clicks: 120, human: 100, visitors: null }],
  })
  data!: AnalyticsRowDto[]

  @ApiProperty({
    type: CountsDto,
    nullable: true,
    description:
      'Clicks not included in any row. `data` and `other` add up to `totals`, except when grouped by tag: a click counts once for each tag of its link.',
    example: null,
  })
  other!: CountsDto | null
}
