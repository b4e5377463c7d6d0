import { ApiProperty, ApiSchema, getSchemaPath } from '@nestjs/swagger'

import { units } from './zoned-time.js'
import type { Unit } from './zoned-time.js'

@ApiSchema({ name: 'Figures', description: 'How many clicks there were.' })
export class CountsDto {
  @ApiProperty({ type: 'integer', description: 'All clicks.', example: 120 })
  clicks!: number

  @ApiProperty({
    type: 'integer',
    description: 'Of these, how many were not made by a known program.',
    example: 100,
  })
  human!: number

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'People, counted once a day of UTC and added up over days. Null where the time is not whole days of UTC, where there are filters, and in groups.',
    example: 80,
  })
  visitors!: number | null
}

@ApiSchema({ name: 'AnalyticsMeta', description: 'The question, as it was understood.' })
class AnalyticsMetaDto {
  @ApiProperty({ format: 'date-time', description: 'The first moment.', example: '2026-01-01T00:00:00.000Z' })
  start!: string

  @ApiProperty({
    format: 'date-time',
    description: 'The first moment after.',
    example: '2026-01-31T00:00:00.000Z',
  })
  end!: string

  @ApiProperty({ description: 'The zone of its days.', example: 'UTC' })
  timezone!: string

  @ApiProperty({
    type: String,
    enum: [...units, null],
    nullable: true,
    description: 'The length of the rows of a series.',
    example: null,
  })
  granularity!: Unit | null

  @ApiProperty({ type: String, nullable: true, description: 'What the rows stand for.', example: 'country' })
  group_by!: string | null

  @ApiProperty({
    format: 'date-time',
    description: 'Every click that was recorded before is counted.',
    example: '2026-01-30T12:00:00.000Z',
  })
  as_of!: string
}

@ApiSchema({
  name: 'AnalyticsRow',
  description: 'A row of figures: one of a series has `start`, one of a group `key`.',
})
export class AnalyticsRowDto extends CountsDto {
  @ApiProperty({
    required: false,
    format: 'date-time',
    description: 'When this part of a series begins.',
    example: '2026-01-01T00:00:00.000Z',
  })
  start?: string

  @ApiProperty({
    required: false,
    type: String,
    nullable: true,
    description: 'What the row stands for; null where it is not known.',
    example: 'DE',
  })
  key?: string | null

  @ApiProperty({
    required: false,
    type: String,
    nullable: true,
    description: 'The country of a city.',
    example: 'DE',
  })
  country?: string | null

  @ApiProperty({
    required: false,
    type: String,
    nullable: true,
    description: 'The region of a city.',
    example: 'DE-BE',
  })
  region?: string | null

  @ApiProperty({ required: false, description: 'The slug of a link.', example: 'spring' })
  slug?: string

  @ApiProperty({
    required: false,
    description: 'The short URL of a link.',
    example: 'https://go.example/spring',
  })
  short_url?: string
}

@ApiSchema({ name: 'Analytics', description: 'Figures of clicks.' })
export class AnalyticsDto {
  @ApiProperty({ description: 'What was asked, as it was understood.' })
  meta!: AnalyticsMetaDto

  @ApiProperty({ description: 'Of the whole range.' })
  totals!: CountsDto

  @ApiProperty({
    type: CountsDto,
    nullable: true,
    description: 'The totals of the period before, with `compare=previous`.',
    example: null,
  })
  previous!: CountsDto | null

  @ApiProperty({
    type: 'array',
    items: { $ref: getSchemaPath(AnalyticsRowDto) },
    description:
      'In the order of time, or those with the most clicks first. Times without clicks are there too.',
    example: [{ key: 'DE', clicks: 120, human: 100, visitors: null }],
  })
  data!: AnalyticsRowDto[]

  @ApiProperty({
    type: CountsDto,
    nullable: true,
    description:
      'What is beyond `limit`. `data`, `other` and `before` add up to `totals`, but by tag: a click counts for each tag.',
    example: null,
  })
  other!: CountsDto | null

  @ApiProperty({
    type: CountsDto,
    nullable: true,
    description:
      'With `interval=all`: clicks of which only the number is known, because they were dropped before figures were kept.',
    example: null,
  })
  before!: CountsDto | null
}
