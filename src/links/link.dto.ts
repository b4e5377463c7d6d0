import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger'

import { encodeId } from '../platform/database/ids.js'
import {
  IsDuration,
  IsFlag,
  IsText,
  IsTimestampText,
  isPlainText,
  Nullable,
  Optional,
  Rule,
} from '../platform/http/fields.js'
import type { LinkRow } from './link-row.js'
import { shortUrl } from './short-url.js'
import type { OwnHosts } from './own-hosts.js'
import { isSlug } from './slug.js'
import { faultOfTarget } from './target-url.js'

const statuses = [301, 302, 307, 308] as const
export const mostTags = 20
/** What depends on the settings is judged by the service. */
const none: OwnHosts = () => false

function IsTarget(): PropertyDecorator {
  return Rule(
    'invalid_url',
    (value) => faultOfTarget(value, none) ?? '',
    (value) => faultOfTarget(value, none) === null,
  )
}

export function IsTagList(): PropertyDecorator {
  return Rule(
    'invalid_tags',
    `Write a list of at most ${mostTags} tags, each of 1 to 50 characters.`,
    (value) =>
      Array.isArray(value) && value.length <= mostTags && value.every((tag) => isPlainText(tag, 1, 50)),
  )
}

function IsRedirectStatus(): PropertyDecorator {
  return Rule('invalid_redirect_status', `Write one of ${statuses.join(', ')}.`, (value) =>
    statuses.some((status) => status === value),
  )
}

const describes = {
  url: {
    description:
      'Where the link leads: http or https, at most 8,192 characters as it is sent, percent-encoded.',
    example: 'https://example.com/spring?utm_source=mail',
  },
  title: {
    type: String,
    nullable: true,
    description: 'A label for people.',
    maxLength: 300,
    example: 'Spring sale',
  },
  tags: { type: String, isArray: true, description: 'At most 20.', example: ['sale', 'mail'] as string[] },
  externalId: {
    type: String,
    nullable: true,
    description: 'Your own id for it, unique in the workspace.',
    maxLength: 255,
    example: 'campaign-17',
  },
  status: { enum: statuses, description: 'The HTTP status of the redirect.', default: 302, example: 302 },
  forward: {
    description: "Whether the visitor's query is added to the target's.",
    default: false,
    example: false,
  },
  enabled: { description: 'A disabled link answers 410.', default: true, example: true },
  expiresAt: {
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'From then on it answers 410.',
    example: '2026-12-31T23:00:00.000Z',
  },
  expiresIn: {
    type: String,
    nullable: true,
    description: 'The same as a time from now, such as 30d; not together with `expires_at`.',
    example: '30d',
  },
} as const

/** What creating and changing have in common. Null clears. */
class LinkFields {
  @ApiPropertyOptional(describes.title)
  @Nullable()
  @IsText(1, 300)
  title?: string | null

  @ApiPropertyOptional(describes.externalId)
  @Nullable()
  @IsText(1, 255)
  external_id?: string | null

  @ApiPropertyOptional(describes.tags)
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
  @IsDuration(1, 3650 * 86_400, 'from "1s" to "3650d"')
  expires_in?: string | null
}

export class CreateLink extends LinkFields {
  @ApiProperty(describes.url)
  @IsTarget()
  url!: string

  @ApiPropertyOptional({
    description: 'The path of the short link. Absent: seven characters are made up.',
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    example: 'spring',
  })
  @Optional()
  @Rule('invalid_slug', 'Write 1 to 64 letters, digits, - or _. Leave it out to have one made up.', isSlug)
  slug?: string
}

export class UpdateLink extends LinkFields {
  @ApiPropertyOptional(describes.url)
  @Optional()
  @IsTarget()
  url?: string
}

export class ClickCountsDto {
  @ApiProperty({ example: 1200 })
  total!: number

  @ApiProperty({ description: 'Without known bots.', example: 1100 })
  human!: number
}

export class LinkDto {
  static readonly versionedBy: readonly string[] = ['id', 'updated_at']

  @ApiProperty({ example: 'lnk_01kaj3v9z4f8hva3x7m2c5d6ne' })
  id!: string

  @ApiProperty({ example: 'spring' })
  slug!: string

  @ApiProperty({ example: 'http://localhost:3000/spring' })
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

  @ApiProperty({ type: String, nullable: true, format: 'date-time', example: null })
  last_clicked_at!: string | null

  @ApiProperty({ format: 'date-time', example: '2026-01-31T12:00:00.000Z' })
  created_at!: string

  @ApiProperty({ format: 'date-time', example: '2026-01-31T12:00:00.000Z' })
  updated_at!: string

  static from(row: LinkRow, shortUrlBase: string): LinkDto {
    const link = new LinkDto()
    link.id = encodeId('link', row.id)
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
