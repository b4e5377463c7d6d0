/** Links in requests and responses. `link-fields.dto.ts` declares the fields that users can set. */
import {
  ApiProperty,
  ApiPropertyOptional,
  ApiSchema,
  IntersectionType,
  OmitType,
  PartialType,
  PickType,
} from '@nestjs/swagger'

import { encodeId } from '../platform/database/ids.js'
import { count } from '../platform/http/openapi/api-docs.js'
import type { BodyExamples } from '../platform/http/openapi/api-docs.js'
import { IsDuration, Nullable, Optional, Rule } from '../platform/http/input/fields.js'
import { Refuses } from '../platform/http/input/input.pipe.js'
import { fieldExamples, IsTagList, LinkFields, linkFieldNames, linkFields } from './link-fields.dto.js'
import type { Link, LinkRow } from './link.entity.js'
import { isSlug, shortUrl, slugPattern } from './urls.js'

/** The fields that requests to create and to update a link share. Null clears a field. */
class OptionalLinkFields extends PartialType(OmitType(LinkFields, ['tags']), { skipNullProperties: false }) {
  @ApiPropertyOptional({
    type: String,
    isArray: true,
    nullable: true,
    description: linkFields.get('tags')!.documentation.description,
    example: fieldExamples.tags,
  })
  @Nullable()
  @IsTagList()
  tags?: string[] | null

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description:
      'Time until the link expires, such as `30d`, from `1s` to `3650d`. Cannot be combined with `expires_at`.',
    example: '30d',
  })
  @Nullable()
  @IsDuration('1s', '3650d')
  expires_in?: string | null
}

@ApiSchema({ name: 'CreateLink', description: 'A link to create. Only `url` is required.' })
export class CreateLink extends IntersectionType(
  PickType(LinkFields, ['url']),
  OmitType(OptionalLinkFields, ['url']),
) {
  // Without `slug` and `external_id`, whose values can be used only once.
  static readonly examples: BodyExamples<CreateLink> = {
    minimal: { url: fieldExamples.url },
    full: {
      ...pick(
        fieldExamples,
        linkFieldNames.filter((name) => name !== 'external_id' && name !== 'expires_at'),
      ),
      redirect_status: 307,
      forward_query: true,
      expires_in: '30d',
    },
  }

  @ApiPropertyOptional({
    description: 'Path of the short link. Default: a generated slug of seven characters.',
    example: 'spring',
  })
  @Optional()
  @Rule('invalid_slug', 'Must be 1 to 64 letters, digits, - or _. Leave it out to generate a slug.', isSlug, {
    pattern: slugPattern,
  })
  slug?: string
}

@Refuses({
  slug: 'slug cannot be changed, so that published short links keep working. Create another link with the new slug.',
})
@ApiSchema({
  name: 'UpdateLink',
  description: 'Changes to a link. Absent fields stay unchanged, and null clears a field.',
})
export class UpdateLink extends OptionalLinkFields {
  static readonly examples: BodyExamples<UpdateLink> = {
    minimal: { title: 'Summer sale' },
    full: {
      ...fieldExamples,
      url: 'https://example.com/summer',
      title: 'Summer sale',
      external_id: null,
      tags: ['summer'],
      expires_at: null,
    },
  }
}

@ApiSchema({ name: 'ClickCounts', description: 'Click counts of a link.' })
export class ClickCountsDto {
  @ApiProperty({
    ...count,
    description: 'All clicks: human clicks and bots.',
    example: 1200,
  })
  total!: number

  @ApiProperty({
    ...count,
    description: 'Human clicks: clicks that are not from known bots.',
    example: 1100,
  })
  human!: number
}

class LinkIdentity {
  @ApiProperty({ description: 'ID of the link.', example: 'lnk_01kaj3v9z4f8hva3x7m2c5d6ne' })
  id!: string

  @ApiProperty({ description: 'Path of the short link.', example: 'spring' })
  slug!: string

  @ApiProperty({
    format: 'uri',
    description: 'Short URL to share with visitors.',
    example: 'http://localhost:3000/spring',
  })
  short_url!: string
}

@ApiSchema({
  name: 'Link',
  description: 'A short link with its destination, settings and click counts.',
})
export class LinkDto extends IntersectionType(LinkIdentity, LinkFields) {
  static readonly versionedBy: readonly string[] = ['id', 'updated_at']

  @ApiProperty({
    type: ClickCountsDto,
    description: 'Click counts. They lag behind redirects by a fraction of a second.',
  })
  clicks!: ClickCountsDto

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'Time of the last click. Null before the first click.',
    example: null,
  })
  last_clicked_at!: string | null

  @ApiProperty({
    format: 'date-time',
    description: 'Time the link was created.',
    example: '2026-01-31T12:00:00.000Z',
  })
  created_at!: string

  @ApiProperty({
    format: 'date-time',
    description: 'Time of the last change. Clicks do not count as changes.',
    example: '2026-01-31T12:00:00.000Z',
  })
  updated_at!: string

  static from(row: LinkRow, shortUrlBase: string): LinkDto {
    return Object.assign(new LinkDto(), {
      id: encodeId('lnk', row.id),
      slug: row.slug,
      short_url: shortUrl(shortUrlBase, row.slug),
      ...Object.fromEntries(linkFieldNames.map((name) => [name, row[name]])),
      expires_at: row.expires_at?.toISOString() ?? null,
      clicks: { total: Number(row.total), human: Number(row.human) },
      last_clicked_at: row.last_clicked_at?.toISOString() ?? null,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    })
  }
}

/** Fields of the link in click events. None of them changes with a click. */
export const clickedLinkFields = ['id', 'slug', 'short_url', 'url', 'title', 'tags', 'external_id'] as const
export type ClickedLink = Pick<LinkDto, (typeof clickedLinkFields)[number]>

export function clickedLink(link: Link, shortUrlBase: string): ClickedLink {
  const fields = { id: encodeId('lnk', link.id), short_url: shortUrl(shortUrlBase, link.slug) }
  return pick(Object.assign({}, link, fields), clickedLinkFields)
}

function pick<T, Name extends keyof T>(object: T, names: readonly Name[]): Pick<T, Name> {
  return Object.fromEntries(names.map((name) => [name, object[name]])) as Pick<T, Name>
}

/** The link in example events. */
export const exampleLink: Omit<LinkDto, never> = {
  id: 'lnk_01kaj3v9z4f8hva3x7m2c5d6ne',
  slug: 'spring',
  short_url: 'http://localhost:3000/spring',
  ...fieldExamples,
  expires_at: null,
  clicks: { total: 0, human: 0 },
  last_clicked_at: null,
  created_at: '2026-01-31T09:00:00.000Z',
  updated_at: '2026-01-31T09:00:00.000Z',
}

export const exampleClickedLink = pick(exampleLink, clickedLinkFields)
