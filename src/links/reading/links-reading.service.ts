/** Reads links, their tags and their history, and previews redirects. */
import { Inject, Injectable } from '@nestjs/common'

import { ListAuditQuery } from '../../audit/audit.dto.js'
import { AuditService } from '../../audit/audit.service.js'
import type { Caller } from '../../auth/caller.js'
import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { decodeId } from '../../platform/database/ids.js'
import { Cursors } from '../../platform/http/input/page.js'
import type { CreatedQuery, Page, PageQuery } from '../../platform/http/input/page.js'
import { currentMs } from '../../platform/util/clock.js'
import { notFound } from '../../platform/http/problems/problem.js'
import { LinkDto } from '../link.dto.js'
import type { LinkRow } from '../link.entity.js'
import type { LinkPosition, ListLinksQuery } from '../list-links.dto.js'
import { compileLink, isGone, locationFor } from '../redirect/compiled-link.js'
import type { CompiledLink } from '../redirect/compiled-link.js'
import { isSlug } from '../urls.js'
import { LinkChangeDto } from './links-reading.dto.js'
import type { TagDto } from './links-reading.dto.js'
import { LinksReadingRepository } from './links-reading.repository.js'
import type { TagLinks } from './links-reading.repository.js'
import { ResolutionDto } from './resolve.dto.js'
import type { ResolveQuery } from './resolve.dto.js'

@Injectable()
export class LinksReadingService {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly links: LinksReadingRepository,
    private readonly audit: AuditService,
    private readonly cursors: Cursors,
  ) {}

  list(caller: Caller, query: ListLinksQuery): Promise<Page<LinkDto>> {
    return this.cursors.readPage(query, `links of ${caller.workspaceId}`, {
      read: (cursor, limit) => {
        const after = cursor === null ? null : (JSON.parse(cursor) as LinkPosition)
        return this.links.list(caller, query, after, limit)
      },
      position: ({ id, total }) =>
        JSON.stringify(query.sort === '-clicks' ? { id, total: Number(total) } : { id }),
      show: (row) => this.show(row),
    })
  }

  async get(caller: Caller, id: string): Promise<LinkDto> {
    const linkId = decodeId('lnk', id)
    const found = linkId && (await this.links.findLink(caller, linkId))
    if (!found) throw notFound('link')
    return this.show(found)
  }

  async bySlug(caller: Caller, slug: string): Promise<LinkDto> {
    // PostgreSQL rejects some text, such as NUL characters, so invalid slugs are not looked up.
    const found = isSlug(slug) ? await this.links.findBySlug(caller, slug) : null
    if (!found || found.deleted_at) throw notFound('link', 'slug')
    return this.show(found)
  }

  async resolve(caller: Caller, { slug, at, query = '' }: ResolveQuery): Promise<ResolutionDto> {
    const found = await this.links.findBySlug(caller, slug)
    const time = at === undefined ? currentMs() : Date.parse(at)
    const compiled = found && compileLink({ ...found, workspace_id: caller.workspaceId })
    return resolveVisit(compiled, found && this.show(found), time, query)
  }

  tags(caller: Caller, query: PageQuery): Promise<Page<TagDto>> {
    return this.cursors.readPage(query, `tags of ${caller.workspaceId}`, {
      read: (after, limit) =>
        this.links.listTags(caller, after === null ? null : (JSON.parse(after) as TagLinks), limit),
      position: (row) => JSON.stringify(row),
      show: (row) => row,
    })
  }

  /** Includes deleted links, whose history shows who deleted them. */
  async history(caller: Caller, id: string, query: CreatedQuery): Promise<Page<LinkChangeDto>> {
    const { workspaceId } = caller
    const linkId = decodeId('lnk', id)
    if (!linkId || !(await this.links.hasLink(caller, linkId))) throw notFound('link')
    // The actor is a token, so its name needs a scope that shows tokens.
    const showsNames =
      caller.tags === null && (caller.useScope('audit:read') || caller.useScope('tokens:read'))
    const entries = Object.assign(new ListAuditQuery(), query, { object_id: id })
    const page = await this.audit.list(workspaceId, entries)
    return page.withData(page.data.map((entry) => LinkChangeDto.from(entry, showsNames)))
  }

  private show(link: LinkRow): LinkDto {
    return LinkDto.from(link, this.settings.shortUrlBase)
  }
}

/** Returns the result of a visit. Converts `query` to one character per byte, as in a request line. */
function resolveVisit(
  link: CompiledLink | null,
  shown: LinkDto | null,
  time: number,
  query: string,
): ResolutionDto {
  const resolution = (fields: Omit<ResolutionDto, 'link'>): ResolutionDto =>
    Object.assign(new ResolutionDto(), fields, { link: link?.tombstone ? null : shown })
  if (!link)
    return resolution({
      outcome: 'unknown',
      status: 404,
      location: null,
      reason: 'The workspace has no link with this slug.',
    })
  if (isGone(link, time))
    return resolution({ outcome: 'gone', status: 410, location: null, reason: goneReason(link, currentMs()) })
  const bytes = Buffer.from(query.replace(/^\?/, ''), 'utf8').toString('latin1')
  const location = locationFor(link, bytes)
  return resolution({
    outcome: 'redirect',
    status: link.status,
    location,
    reason: redirectReason(link, bytes, location),
  })
}

function goneReason(link: CompiledLink, now: number): string {
  if (link.tombstone) return 'The link was deleted. Its slug is never reused.'
  if (!link.enabled) return 'The link is disabled.'
  const verb = link.expiresAt <= now ? 'expired' : 'expires'
  return `The link ${verb} at ${new Date(link.expiresAt).toISOString()}.`
}

function redirectReason(link: CompiledLink, query: string, location: string): string {
  const enabled = 'The link is enabled and has not expired.'
  if (query === '') return enabled
  if (!link.forwardQuery) return `${enabled} It does not forward the visitor's query.`
  return location === link.location
    ? `${enabled} The visitor's query is not forwarded: it has no parameters to forward, or the URL would be too long.`
    : `${enabled} The visitor's query is added to the destination.`
}
