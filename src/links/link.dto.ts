import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import { encodeId } from '../platform/database/ids.js'
import type { BodyExamples } from '../platform/http/openapi/api-docs.js'
import {
  IsDuration,
  IsFlag,
  IsText,
  IsTimestampText,
  isPlainText,
  Nullable,
  Optional,
  plainTextPattern,
  Rule,
} from '../platform/http/input/fields.js'
import { Refuses } from '../platform/http/input/input.pipe.js'
import { describes, longest, statuses } from './link-fields.js'
import type { LinkRow } from './link.entity.js'
import { faultOfTarget, isSlug, longestTarget, shortUrl, slugPattern } from './addresses.js'

export const mostTags = 20
/** Which hosts are the service's own depends on the settings, so `LinkRules` checks that. */
const faultOf = (value: unknown) => faultOfTarget(value, () => false)

function IsTarget(): PropertyDecorator {
  return Rule(
    'invalid_url',
    (value) => faultOf(value) ?? '',
    (value) => faultOf(value) === null,
    { minLength: 1, maxLength: longestTarget, pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' },
  )
}

export function IsTagList(): PropertyDecorator {
  return Rule(
    'invalid_tags',
    `Write a list of at most ${mostTags} tags, each of 1 to ${longest.tag} characters.`,
    (value) =>
      Array.isArray(value) &&
      value.length <= mostTags &&
      value.every((tag) => isPlainText(tag, 1, longest.tag)),
    { maxItems: mostTags, minLength: 1, maxLength: longest.tag, pattern: plainTextPattern },
  )
}

function IsRedirectStatus(): PropertyDecorator {
  return Rule(
    'invalid_redirect_status',
    `Write one of ${statuses.join(', ')}.`,
    (value) => statuses.some((status) => status === value),
    { type: 'integer', enum: statuses },
  )
}

/** The fields that creating and changing have in common. Null clears a field. */
class LinkFields {
  @ApiPropertyOptional(describes.title)
  @Nullable()
  @IsText(1, longest.title)
  title?: string | null

  @ApiPropertyOptional(describes.externalId)
  @Nullable()
  @IsText(1, longest.externalId)
  external_id?: string | null

  @ApiPropertyOptional({ ...describes.tags, nullable: true })
  @Nullable()
  @IsTagList()
  tags?: string[] | null

  @ApiPropertyOptional(describes.status)
  @Optional()
  @IsRedirectStatus()
  redirect_status?: number

  @ApiPropertyOptional(describes.forward)
  @Optional()
  @IsFlag()
  forward_query?: boolean

  @ApiPropertyOptional(describes.enabled)
  @Optional()
  @IsFlag()
  enabled?: boolean

  @ApiPropertyOptional(describes.expiresAt)
  @Nullable()
  @IsTimestampText()
  expires_at?: string | null

  @ApiPropertyOptional(describes.expiresIn)
  @Nullable()
  @IsDuration('1s', '3650d')
  expires_in?: string | null
}

@ApiSchema({ name: 'CreateLink', description: 'A link to make: only `url` is needed.' })
export class CreateLink extends LinkFields {
  static readonly examples: BodyExamples<CreateLink> = {
    least: { url: describes.url.example },
    // `slug` and `external_id` are left out, because each value can be used only once.
    everything: {
      url: describes.url.example,
      title: describes.title.example,
      tags: describes.tags.example,
      redirect_status: 307,
      forward_query: true,
      enabled: true,
      expires_in: describes.expiresIn.example,
    },
  }

  @ApiProperty(describes.url)
  @IsTarget()
  url!: string

  @ApiPropertyOptional({
    description: 'The path of the short link. Absent: seven characters are made up.',
    example: 'spring',
  })
  @Optional()
  @Rule('invalid_slug', 'Write 1 to 64 letters, digits, - or _. Leave it out to have one made up.', isSlug, {
    pattern: slugPattern,
  })
  slug?: string
}

@Refuses({
  slug: 'slug cannot be changed: a short link that was given out stays. Make another link with the slug that you want.',
})
@ApiSchema({ name: 'UpdateLink', description: 'What to change of a link: absent stays, null clears.' })
export class UpdateLink extends LinkFields {
  static readonly examples: BodyExamples<UpdateLink> = {
    least: { title: 'Summer sale' },
    everything: {
      url: 'https://example.com/summer',
      title: 'Summer sale',
      external_id: null,
      tags: ['summer'],
      redirect_status: 302,
      forward_query: false,
      enabled: true,
      expires_at: null,
    },
  }

  @ApiPropertyOptional(describes.url)
  @Optional()
  @IsTarget()
  url?: string
}

@ApiSchema({ name: 'ClickCounts', description: 'How often a link was followed.' })
export class ClickCountsDto {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'All clicks.', example: 1200 })
  total!: number

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Without known bots.', example: 1100 })
  human!: number
}

@ApiSchema({
  name: 'Link',
  description: 'A short link: where it leads, for how long, and how often it was followed.',
})
export class LinkDto {
  static readonly versionedBy: readonly string[] = ['id', 'updated_at']

  @ApiProperty({ description: 'Its id.', example: 'lnk_01kaj3v9z4f8hva3x7m2c5d6ne' })
  id!: string

  @ApiProperty({ description: 'The path of the short link.', example: 'spring' })
  slug!: string

  @ApiProperty({
    format: 'uri',
    description: 'The address to give to visitors.',
    example: 'http://localhost:3000/spring',
  })
  short_url!: string

  @ApiProperty(describes.url)
  url!: string

  @ApiProperty(describes.title)
  title!: string | null

  @ApiProperty(describes.tags)
  tags!: string[]

  @ApiProperty(describes.externalId)
  external_id!: string | null

  @ApiProperty(describes.status)
  redirect_status!: number

  @ApiProperty(describes.forward)
  forward_query!: boolean

  @ApiProperty(describes.enabled)
  enabled!: boolean

  @ApiProperty(describes.expiresAt)
  expires_at!: string | null

  @ApiProperty({
    type: ClickCountsDto,
    description: 'They lag behind the redirects by a fraction of a second.',
  })
  clicks!: ClickCountsDto

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'The last click; null before the first.',
    example: null,
  })
  last_clicked_at!: string | null

  @ApiProperty({ format: 'date-time', description: 'When it was made.', example: '2026-01-31T12:00:00.000Z' })
  created_at!: string

  @ApiProperty({
    format: 'date-time',
    description: 'When it was last changed. Clicks do not change it.',
    example: '2026-01-31T12:00:00.000Z',
  })
  updated_at!: string

  static from(row: LinkRow, shortUrlBase: string): LinkDto {
    const link = new LinkDto()
    link.id = encodeId('lnk', row.id)
    link.slug = row.slug
    link.short_url = shortUrl(shortUrlBase, row.slug)
    link.url = row.url
    link.title = row.title
    link.tags = row.tags
    link.external_id = row.external_id
    link.redirect_status = row.redirect_status
    link.forward_query = row.forward_query
    link.enabled = row.enabled
    link.expires_at = row.expires_at?.toISOString() ?? null
    link.clicks = { total: Number(row.total), human: Number(row.human) }
    link.last_clicked_at = row.last_clicked_at?.toISOString() ?? null
    link.created_at = row.created_at.toISOString()
    link.updated_at = row.updated_at.toISOString()
    return link
  }
}
