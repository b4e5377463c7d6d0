import { ApiProperty, ApiPropertyOptional, ApiSchema, getSchemaPath } from '@nestjs/swagger'

import { enumOf } from '../../platform/http/openapi/api-docs.js'
import { IsText, IsTimestampText, Optional } from '../../platform/http/input/fields.js'
import { LinkDto } from '../link.dto.js'
import { isGone, locationFor } from '../redirect/compiled-link.js'
import type { CompiledLink } from '../redirect/compiled-link.js'

const outcomes = ['redirect', 'gone', 'unknown'] as const

export class ResolveQuery {
  @ApiProperty({ description: 'The path of the short link.', example: 'spring' })
  @IsText(1, 2000)
  slug!: string

  @ApiPropertyOptional({
    description: 'When the visitor comes; absent: now. The link is taken as it is at present.',
  })
  @Optional()
  @IsTimestampText()
  at?: string

  @ApiPropertyOptional({
    description: 'The query that the visitor comes with, as it stands behind the question mark.',
  })
  @Optional()
  @IsText(1, 8192)
  query?: string
}

@ApiSchema({ name: 'Resolution', description: 'What a visitor would get.' })
export class ResolutionDto {
  @ApiProperty({
    ...enumOf('ResolutionOutcome', 'What a visitor can get.', outcomes),
    description: 'A slug of another workspace is `unknown`.',
    example: 'redirect',
  })
  outcome!: (typeof outcomes)[number]

  @ApiProperty({ type: 'integer', description: 'The HTTP status that the visitor gets.', example: 302 })
  status!: number

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Where the visitor is sent.',
    example: 'https://example.com/spring?utm_source=mail',
  })
  location!: string | null

  @ApiProperty({ description: 'Why, as a sentence.', example: 'The link is enabled and has not expired.' })
  reason!: string

  @ApiProperty({
    anyOf: [{ $ref: getSchemaPath(LinkDto) }, { type: 'null' }],
    description: 'The link; null where there is none, or none any more.',
    example: null,
  })
  link!: LinkDto | null
}

/**
 * What a visitor would get, by the rules of the redirect itself. `query` is text. The redirect works with one char for
 * each byte, as in a request line, so the text is converted.
 */
export function resolve(
  link: CompiledLink | null,
  shown: LinkDto | null,
  time: number,
  query: string,
): ResolutionDto {
  const answer = (fields: Omit<ResolutionDto, 'link'>): ResolutionDto =>
    Object.assign(new ResolutionDto(), fields, { link: link?.tombstone ? null : shown })
  if (!link)
    return answer({
      outcome: 'unknown',
      status: 404,
      location: null,
      reason: 'The workspace has no link with this slug.',
    })
  if (isGone(link, time))
    return answer({ outcome: 'gone', status: 410, location: null, reason: whyGone(link) })
  const sent = Buffer.from(query.replace(/^\?/, ''), 'utf8').toString('latin1')
  const location = locationFor(link, sent)
  return answer({
    outcome: 'redirect',
    status: link.status,
    location,
    reason: whyThere(link, sent, location),
  })
}

function whyGone(link: CompiledLink): string {
  if (link.tombstone) return 'The link was deleted. Its slug is never given out again.'
  if (!link.enabled) return 'The link is disabled.'
  return `The link expires at ${new Date(link.expiresAt).toISOString()}.`
}

function whyThere(link: CompiledLink, query: string, location: string): string {
  const why = 'The link is enabled and has not expired.'
  if (query === '') return why
  if (!link.forwardQuery) return `${why} It does not pass on the visitor's query.`
  return location === link.location
    ? `${why} Nothing of the visitor's query is passed on: nothing is left of it, or the address would be too long.`
    : `${why} The visitor's query is added to its address.`
}
