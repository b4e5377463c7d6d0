/** What a visitor would get, by the rules of the redirect itself. */
import type { LinkDto } from '../link.dto.js'
import type { CompiledLink } from '../redirect/compiled-link.js'
import { isGone, locationFor } from '../redirect/outcome.js'
import { ResolutionDto } from './resolve.dto.js'

/** `query` is text; in a request line it has one char for each byte. */
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
