import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger'

import { encodeId } from '../platform/database/ids.js'
import { IsFeedCursor, IsText, IsWholeNumberText, Optional } from '../platform/http/fields.js'
import { PageQuery } from '../platform/http/page.js'
import type { NewClick } from './click.entity.js'

export class ListClicksQuery extends PageQuery {}

export class ClickFeedQuery {
  @ApiPropertyOptional({
    description:
      'The `next_cursor` of the answer before; empty or absent begins at the oldest, and `latest` at the end: nothing yet, and a cursor to go on from.',
    example: '',
  })
  @Optional()
  @IsFeedCursor()
  after?: string

  @ApiPropertyOptional({
    description: 'Only clicks of this link.',
    example: 'lnk_01kaj3v9z4f8hva3x7m2c5d6ne',
  })
  @Optional()
  @IsText(1, 100)
  link_id?: string

  @ApiPropertyOptional({
    description: 'How many at most, 1 to 100.',
    default: '20',
    example: '100',
    type: String,
    pattern: '^\\d+$',
  })
  @Optional()
  @IsWholeNumberText(1, 100)
  limit?: string
}

export class ClickDto {
  @ApiProperty({ example: 'clk_01kaj4d0qae6svf0k9w3m7x2ht' })
  id!: string

  @ApiProperty({ example: 'lnk_01kaj3v9z4f8hva3x7m2c5d6ne' })
  link_id!: string

  @ApiProperty({ example: 'spring' })
  slug!: string

  @ApiProperty({
    description: 'Where the visitor was sent.',
    example: 'https://example.com/spring?utm_source=mail',
  })
  url!: string

  @ApiProperty({ format: 'date-time', example: '2026-01-31T12:00:00.000Z' })
  occurred_at!: string

  @ApiProperty({ description: 'Whether the user agent is a known program.', example: false })
  bot!: boolean

  @ApiProperty({ type: String, nullable: true, example: 'https://news.example/today' })
  referrer!: string | null

  @ApiProperty({ type: String, nullable: true, example: 'news.example' })
  referrer_host!: string | null

  @ApiProperty({ type: String, nullable: true, description: 'ISO 3166, two letters.', example: 'DE' })
  country!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'ISO 3166-2, where a MaxMind file of cities knows it.',
    example: 'DE-BE',
  })
  region!: string | null

  @ApiProperty({ type: String, nullable: true, description: 'Its English name.', example: 'Berlin' })
  city!: string | null

  @ApiProperty({ type: String, nullable: true, example: 'Firefox' })
  browser!: string | null

  @ApiProperty({ type: String, nullable: true, example: 'Linux' })
  os!: string | null

  @ApiProperty({ type: String, nullable: true, example: 'desktop' })
  device!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The first language that the visitor asks for.',
    example: 'de-DE',
  })
  language!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The `utm_source` of the visited address, or else of the target.',
    example: 'mail',
  })
  utm_source!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The `utm_medium` of the visited address, or else of the target.',
    example: 'email',
  })
  utm_medium!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The `utm_campaign` of the visited address, or else of the target.',
    example: 'spring',
  })
  utm_campaign!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The `utm_term` of the visited address, or else of the target.',
    example: 'shoes',
  })
  utm_term!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The `utm_content` of the visited address, or else of the target.',
    example: 'banner',
  })
  utm_content!: string | null

  @ApiProperty({
    enum: ['link', 'qr'],
    description: 'Whether the link itself was followed, or its picture was scanned.',
    example: 'link',
  })
  source!: 'link' | 'qr'

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Cut to its network unless the operator says otherwise.',
    example: '203.0.113.0',
  })
  ip!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The same for one visitor on one day.',
    example: 'q1Zr7m0VxkJt2nB5cW9dYA',
  })
  visitor!: string | null

  static from(click: NewClick): ClickDto {
    return Object.assign(new ClickDto(), {
      id: encodeId('click', click.id),
      link_id: encodeId('link', click.linkId),
      slug: click.slug,
      url: click.url,
      occurred_at: click.occurredAt.toISOString(),
      bot: click.bot,
      referrer: click.referrer,
      referrer_host: click.referrerHost,
      country: click.country,
      region: click.region,
      city: click.city,
      browser: click.browser,
      os: click.os,
      device: click.device,
      language: click.language,
      utm_source: click.utmSource,
      utm_medium: click.utmMedium,
      utm_campaign: click.utmCampaign,
      utm_term: click.utmTerm,
      utm_content: click.utmContent,
      source: click.source ?? 'link',
      ip: click.ip,
      visitor: click.visitor,
    })
  }
}
