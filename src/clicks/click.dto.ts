import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import { encodeId } from '../platform/database/ids.js'
import { enumOf } from '../platform/http/openapi/api-docs.js'
import { IsFeedCursor, IsText, Optional } from '../platform/http/input/fields.js'
import { LimitQuery } from '../platform/http/input/page.js'
import { devices } from './click.entity.js'
import type { Device, NewClick } from './click.entity.js'

export class ClickFeedQuery extends LimitQuery {
  @ApiPropertyOptional({
    description:
      'The `next_cursor` of the answer before; empty or absent begins at the oldest, and `latest` at the end: nothing yet, and a cursor to go on from.',
  })
  @Optional()
  @IsFeedCursor()
  after?: string

  @ApiPropertyOptional({ description: 'Only clicks of this link, by its id.' })
  @Optional()
  @IsText(1, 100)
  link_id?: string
}

@ApiSchema({ name: 'Click', description: 'One visit to a short link, as far as it may be kept.' })
export class ClickDto {
  @ApiProperty({ description: 'Its id.', example: 'clk_01kaj4d0qae6svf0k9w3m7x2ht' })
  id!: string

  @ApiProperty({ description: 'The link that was followed.', example: 'lnk_01kaj3v9z4f8hva3x7m2c5d6ne' })
  link_id!: string

  @ApiProperty({ description: 'The path that was visited.', example: 'spring' })
  slug!: string

  @ApiProperty({
    description: 'Where the visitor was sent.',
    example: 'https://example.com/spring?utm_source=mail',
  })
  url!: string

  @ApiProperty({ format: 'date-time', description: 'When it was.', example: '2026-01-31T12:00:00.000Z' })
  occurred_at!: string

  @ApiProperty({
    description: 'Whether the visitor was a bot, such as a crawler, a link preview or an HTTP library.',
    example: false,
  })
  bot!: boolean

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The page that the visitor came from.',
    example: 'https://news.example/today',
  })
  referrer!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The host of that page.',
    example: 'news.example',
  })
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

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The name of the browser, or of the app whose built-in browser it is. Null when it is not one of the known names.',
    example: 'Firefox',
  })
  browser!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The operating system. Null when it is not one of the known names.',
    example: 'Linux',
  })
  os!: string | null

  @ApiProperty({
    ...enumOf('Device', 'The kind of device. `other` is a television, console, watch or headset.', devices),
    nullable: true,
    description: 'The kind of device: `bot` for every bot, null when unknown.',
    example: 'desktop',
  })
  device!: Device | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The first language that the visitor asks for, as BCP 47 writes it.',
    example: 'de-DE',
  })
  language!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The `utm_source` of the visited address, or else of the target: its first 100 characters.',
    example: 'mail',
  })
  utm_source!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The `utm_medium` of the visited address, or else of the target: its first 100 characters.',
    example: 'email',
  })
  utm_medium!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The `utm_campaign` of the visited address, or else of the target: its first 100 characters.',
    example: 'spring',
  })
  utm_campaign!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The `utm_term` of the visited address, or else of the target: its first 100 characters.',
    example: 'shoes',
  })
  utm_term!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The `utm_content` of the visited address, or else of the target: its first 100 characters.',
    example: 'banner',
  })
  utm_content!: string | null

  @ApiProperty({
    ...enumOf('ClickSource', 'How a link can be followed.', ['link', 'qr']),
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

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The event that webhooks were sent; null where none wanted clicks when it was recorded. It has the digits of the click.',
    example: 'evt_01kaj4d0qae6svf0k9w3m7x2ht',
  })
  event_id!: string | null

  static from(click: NewClick): ClickDto {
    return Object.assign(new ClickDto(), {
      id: encodeId('clk', click.id),
      link_id: encodeId('lnk', click.linkId),
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
      event_id: click.eventId && encodeId('evt', click.eventId),
    })
  }
}
