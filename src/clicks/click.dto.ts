import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import { encodeId } from '../platform/database/ids.js'
import { enumSchema } from '../platform/http/openapi/api-docs.js'
import { IsFeedCursor, IsText, Optional } from '../platform/http/input/fields.js'
import { LimitQuery } from '../platform/http/input/page.js'
import { ClickFilters } from './click-filters.dto.js'
import { devices } from './click.entity.js'
import type { ClickRow, Device } from './click.entity.js'

export class ClickFeedQuery extends LimitQuery {
  @ApiPropertyOptional({
    description:
      'The `next_cursor` of the previous response, or empty to start at the oldest click (the default). `latest` returns an empty page whose `next_cursor` is the end of the feed.',
  })
  @Optional()
  @IsFeedCursor()
  after?: string

  @ApiPropertyOptional({ description: 'Returns only clicks of this link.' })
  @Optional()
  @IsText(1, 100)
  link_id?: string
}

export class LiveClicksQuery extends ClickFilters {
  @ApiPropertyOptional({ description: 'Returns only clicks of this link.' })
  @Optional()
  @IsText(1, 100)
  link_id?: string
}

@ApiSchema({
  name: 'Click',
  description: 'A visit to a short link. Privacy settings limit what is recorded.',
})
export class ClickDto {
  @ApiProperty({ description: 'ID of the click.', example: 'clk_01kaj4d0qae6svf0k9w3m7x2ht' })
  id!: string

  @ApiProperty({ description: 'ID of the clicked link.', example: 'lnk_01kaj3v9z4f8hva3x7m2c5d6ne' })
  link_id!: string

  @ApiProperty({ description: 'Slug that was visited.', example: 'spring' })
  slug!: string

  @ApiProperty({
    description: 'URL the visitor was redirected to.',
    example: 'https://example.com/spring?utm_source=mail',
  })
  url!: string

  @ApiProperty({
    format: 'date-time',
    description: 'Time of the click.',
    example: '2026-01-31T12:00:00.000Z',
  })
  occurred_at!: string

  @ApiProperty({
    description: 'Whether the visitor was a bot, such as a crawler, a link preview or an HTTP library.',
    example: false,
  })
  bot!: boolean

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'URL of the referring page.',
    example: 'https://news.example/today',
  })
  referrer!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Host of the referring page.',
    example: 'news.example',
  })
  referrer_host!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Two-letter country code (ISO 3166).',
    example: 'DE',
  })
  country!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Region code (ISO 3166-2). Requires a MaxMind city database.',
    example: 'DE-BE',
  })
  region!: string | null

  @ApiProperty({ type: String, nullable: true, description: 'English name of the city.', example: 'Berlin' })
  city!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Name of the browser, or of the app with a built-in browser. Null if unknown.',
    example: 'Firefox',
  })
  browser!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Name of the operating system. Null if unknown.',
    example: 'Linux',
  })
  os!: string | null

  @ApiProperty({
    ...enumSchema('Device', 'Device type. `other` is a television, console, watch or headset.', devices),
    nullable: true,
    description: 'Device type. `bot` for every bot. Null if unknown.',
    example: 'desktop',
  })
  device!: Device | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Preferred language of the visitor (BCP 47).',
    example: 'de-DE',
  })
  language!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      '`utm_source` of the visited URL, otherwise of the destination, truncated to 100 characters.',
    example: 'mail',
  })
  utm_source!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      '`utm_medium` of the visited URL, otherwise of the destination, truncated to 100 characters.',
    example: 'email',
  })
  utm_medium!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      '`utm_campaign` of the visited URL, otherwise of the destination, truncated to 100 characters.',
    example: 'spring',
  })
  utm_campaign!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: '`utm_term` of the visited URL, otherwise of the destination, truncated to 100 characters.',
    example: 'shoes',
  })
  utm_term!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      '`utm_content` of the visited URL, otherwise of the destination, truncated to 100 characters.',
    example: 'banner',
  })
  utm_content!: string | null

  @ApiProperty({
    ...enumSchema('ClickSource', 'Source of a click.', ['link', 'qr']),
    description: 'Source of the click: the link (`link`) or its QR code (`qr`).',
    example: 'link',
  })
  source!: 'link' | 'qr'

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'IP address of the visitor, truncated to its network unless the operator changed this.',
    example: '203.0.113.0',
  })
  ip!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Pseudonymous visitor ID that changes daily.',
    example: 'q1Zr7m0VxkJt2nB5cW9dYA',
  })
  visitor!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'ID of the event sent to webhooks. Null if no webhook wanted the click: none subscribed to clicks, or their filters excluded it. Only the prefix differs from the click ID.',
    example: 'evt_01kaj4d0qae6svf0k9w3m7x2ht',
  })
  event_id!: string | null

  static fromClick(click: Omit<ClickRow, 'tx'>): ClickDto {
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
