import { ApiProperty, ApiPropertyOptional, ApiSchema, getSchemaPath } from '@nestjs/swagger'

import { enumOf } from '../../platform/http/openapi/api-docs.js'
import { IsText, IsTimestampText, Optional } from '../../platform/http/input/fields.js'
import { LinkDto } from '../link.dto.js'
import { isGone, locationFor } from '../redirect/compiled-link.js'
import type { CompiledLink } from '../redirect/compiled-link.js'
import { QueryInput } from '../../platform/http/input/input.pipe.js'

const outcomes = ['redirect', 'gone', 'unknown'] as const

export class ResolveQuery extends QueryInput {
  @ApiProperty({ description: 'Path of the short link.', example: 'spring' })
  @IsText(1, 2000)
  slug!: string

  @ApiPropertyOptional({
    description: 'Time of the visit. The current state of the link is used. Default: now.',
  })
  @Optional()
  @IsTimestampText()
  at?: string

  @ApiPropertyOptional({
    description: 'Query string of the visit, without the question mark.',
  })
  @Optional()
  @IsText(1, 8192)
  query?: string
}

@ApiSchema({ name: 'Resolution', description: 'Result of a visit to a short link.' })
export class ResolutionDto {
  @ApiProperty({
    ...enumOf('ResolutionOutcome', 'Outcome of a visit.', outcomes),
    description: 'Outcome of the visit. Slugs of other workspaces are `unknown`.',
    example: 'redirect',
  })
  outcome!: (typeof outcomes)[number]

  @ApiProperty({ type: 'integer', description: 'HTTP status code that the visitor receives.', example: 302 })
  status!: number

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'URL the visitor is redirected to. Null if there is no redirect.',
    example: 'https://example.com/spring?utm_source=mail',
  })
  location!: string | null

  @ApiProperty({
    description: 'Explanation of the outcome.',
    example: 'The link is enabled and has not expired.',
  })
  reason!: string

  @ApiProperty({
    anyOf: [{ $ref: getSchemaPath(LinkDto) }, { type: 'null' }],
    description: 'The link. Null if it does not exist or was deleted.',
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
  if (link.tombstone) return 'The link was deleted. Its slug is never reused.'
  if (!link.enabled) return 'The link is disabled.'
  return `The link expires at ${new Date(link.expiresAt).toISOString()}.`
}

function whyThere(link: CompiledLink, query: string, location: string): string {
  const why = 'The link is enabled and has not expired.'
  if (query === '') return why
  if (!link.forwardQuery) return `${why} It does not forward the visitor's query.`
  return location === link.location
    ? `${why} The visitor's query is not forwarded: it has no parameters to forward, or the URL would be too long.`
    : `${why} The visitor's query is added to the destination.`
}
