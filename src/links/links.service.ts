import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import type { Caller } from '../auth/caller.js'
import { parseDuration } from '../platform/config/duration.js'
import { SETTINGS } from '../platform/config/settings.js'
import type { RunningSettings } from '../platform/config/settings.js'
import { decodeId, newId, timeOf } from '../platform/database/ids.js'
import { requireMatch } from '../platform/http/entity-tag.js'
import { Idempotency } from '../platform/http/idempotency.js'
import { Cursors, pageSize } from '../platform/http/page.js'
import type { Page } from '../platform/http/page.js'
import { Problem } from '../platform/http/problem.js'
import type { InputError } from '../platform/http/problem.js'
import { LinkDto } from './link.dto.js'
import type { CreateLink, UpdateLink } from './link.dto.js'
import { linkCreated, linkDeleted, linkUpdated } from './link-events.js'
import type { LinkRow } from './link-row.js'
import type { LinkPosition } from './links-page.js'
import { LinksRepository } from './links.repository.js'
import type { ListLinksQuery } from './list-links.dto.js'
import { ownHosts } from './own-hosts.js'
import type { OwnHosts } from './own-hosts.js'
import { RedirectLinks } from './redirect-links.js'
import { shortUrlBaseOf } from './short-url.js'
import { makeSlug, reservedSlugs } from './slug.js'
import { faultOfTarget } from './target-url.js'

const mostTries = 50
const neverClicked = { total: null, human: null, last_clicked_at: null }

@Injectable()
export class LinksService {
  private readonly reserved: ReadonlySet<string>
  private isOwn: OwnHosts | null = null

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly links: LinksRepository,
    private readonly redirectLinks: RedirectLinks,
    private readonly idempotency: Idempotency,
    private readonly cursors: Cursors,
  ) {
    this.reserved = reservedSlugs(settings.basePath)
  }

  async create(caller: Caller, body: CreateLink): Promise<LinkDto> {
    const id = newId()
    const createdAt = timeOf(id)
    const link: LinkRow = {
      id,
      slug: body.slug ?? makeSlug(),
      url: body.url,
      title: body.title ?? null,
      tags: fold(body.tags),
      external_id: body.external_id ?? null,
      redirect_status: body.redirect_status ?? 302,
      forward_query: body.forward_query ?? false,
      enabled: body.enabled ?? true,
      expires_at: expiryOf(body, createdAt) ?? null,
      created_at: createdAt,
      updated_at: createdAt,
      ...neverClicked,
    }
    this.refuse([
      ...this.faultsOf(body),
      ...(body.slug !== undefined && this.reserved.has(body.slug)
        ? [
            {
              pointer: '/slug',
              code: 'reserved',
              detail: `${body.slug} is an address of the service itself. Choose another slug.`,
            },
          ]
        : []),
    ])
    const created = caller.claim
      ? await this.idempotency.once(caller.claim, (tx) => this.insert(tx, caller, link, body.slug))
      : await this.insert(this.dataSource.manager, caller, link, body.slug)
    this.redirectLinks.forget(created.slug)
    return created
  }

  async list(caller: Caller, query: ListLinksQuery): Promise<Page<LinkDto>> {
    const scope = `links of ${caller.workspaceId}`
    const cursor = this.cursors.open(query.cursor, query, scope)
    const after = cursor === null ? null : (JSON.parse(cursor) as LinkPosition)
    const rows = await this.links.list(caller.workspaceId, query, after, pageSize(query) + 1)
    const position = ({ id, total }: LinkRow) =>
      JSON.stringify(query.sort === '-clicks' && total !== null ? { id, total: Number(total) } : { id })
    return this.cursors.page(rows, query, scope, position, (row) => this.show(row))
  }

  async get(caller: Caller, id: string): Promise<LinkDto> {
    return this.show(await this.find(caller, id))
  }

  async update(caller: Caller, id: string, body: UpdateLink, ifMatch: string | undefined): Promise<LinkDto> {
    this.refuse(this.faultsOf(body))
    return this.change(caller, id, ifMatch, async (before, shownBefore) => {
      const after = changed(before, body)
      if (after === before) return shownBefore
      const shown = this.show(after)
      const event = linkUpdated({ id: before.id, workspaceId: caller.workspaceId }, shownBefore, shown)
      return (await refusingTakenIds(() => this.links.update(before, after, event))) ? shown : null
    })
  }

  async delete(caller: Caller, id: string, ifMatch: string | undefined): Promise<void> {
    await this.change(caller, id, ifMatch, async (before, shown) => {
      const event = linkDeleted({ id: before.id, workspaceId: caller.workspaceId }, shown)
      return (await this.links.delete(before, new Date(), event)) ? shown : null
    })
  }

  /**
   * Reads a link and changes the version that was read. When somebody else was quicker, it begins anew: so a change
   * takes two statements and holds no lock between them.
   */
  private async change(
    caller: Caller,
    id: string,
    ifMatch: string | undefined,
    attempt: (before: LinkRow, shown: LinkDto) => Promise<LinkDto | null>,
  ): Promise<LinkDto> {
    for (let tries = 0; tries < mostTries; tries++) {
      const before = await this.find(caller, id)
      const shown = this.show(before)
      requireMatch(ifMatch, shown)
      const changedTo = await attempt(before, shown)
      if (!changedTo) continue
      this.redirectLinks.forget(changedTo.slug)
      return changedTo
    }
    throw new Problem('unavailable', {
      detail: 'Too many others change this link at the same moment.',
      headers: { 'retry-after': '1' },
    })
  }

  private async find(caller: Caller, id: string): Promise<LinkRow> {
    const linkId = decodeId('lnk', id)
    const found = linkId && (await this.links.find(caller.workspaceId, linkId))
    if (!found) throw new Problem('not_found')
    return found
  }

  /** The database decides whether a slug is free; one that was made up is made up again until it is. */
  private async insert(
    db: EntityManager,
    { workspaceId }: Caller,
    link: LinkRow,
    chosenSlug: string | undefined,
  ): Promise<LinkDto> {
    for (let tries = 0; tries < mostTries; tries++) {
      if (!this.reserved.has(link.slug)) {
        const shown = this.show(link)
        const event = linkCreated({ id: link.id, workspaceId }, shown)
        if (await refusingTakenIds(() => this.links.insert(db, workspaceId, link, event))) return shown
      }
      if (chosenSlug !== undefined)
        throw conflict(
          'slug',
          `The slug ${chosenSlug} is taken, or was once and is not given out again. Choose another.`,
        )
      link.slug = makeSlug()
    }
    throw new Error('no free slug was found')
  }

  private faultsOf({ url, expires_at, expires_in }: CreateLink | UpdateLink): InputError[] {
    const faults: InputError[] = []
    const detail = url === undefined ? null : faultOfTarget(url, this.ownHosts())
    if (detail) faults.push({ pointer: '/url', code: 'invalid_url', detail })
    if (expires_at != null && expires_in != null)
      faults.push({
        pointer: '/expires_in',
        code: 'not_both',
        detail: 'Write expires_at or expires_in, not both.',
      })
    if (expires_at != null && Date.parse(expires_at) <= Date.now())
      faults.push({
        pointer: '/expires_at',
        code: 'in_the_past',
        detail: 'Write a time that is still to come.',
      })
    return faults
  }

  /** Asked for at the first call: with PORT=0 the service's address is known only when it listens. */
  private ownHosts(): OwnHosts {
    const { publicUrl, port } = this.settings
    return (this.isOwn ??= ownHosts([shortUrlBaseOf(this.settings), publicUrl], port))
  }

  private refuse(errors: InputError[]): void {
    const [first] = errors
    if (first) throw new Problem('validation_failed', { detail: first.detail, errors })
  }

  private show(link: LinkRow): LinkDto {
    return LinkDto.from(link, shortUrlBaseOf(this.settings))
  }
}

async function refusingTakenIds(write: () => Promise<boolean>): Promise<boolean> {
  try {
    return await write()
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint !== 'links_external_id_key') throw error
    throw conflict(
      'external_id',
      'Another link of the workspace has this external_id. Choose another, or change that link.',
    )
  }
}

function conflict(field: string, detail: string): Problem {
  return new Problem('conflict', {
    detail,
    errors: [{ pointer: `/${field}`, code: 'taken', detail }],
    more: { field },
  })
}

function fold(tags: string[] | null | undefined): string[] {
  return [...new Set(tags ?? [])]
}

/** Undefined where the body says nothing of it, null where it clears it. */
function expiryOf({ expires_at, expires_in }: UpdateLink, now: Date): Date | null | undefined {
  if (expires_at != null) return new Date(expires_at)
  if (expires_in != null) return new Date(now.getTime() + (parseDuration(expires_in) ?? 0) * 1000)
  return expires_at === null || expires_in === null ? null : undefined
}

/** The link as the merge patch makes it; the very same object when that changes nothing. */
function changed(link: LinkRow, patch: UpdateLink): LinkRow {
  const now = new Date()
  const expiresAt = expiryOf(patch, now)
  const after: LinkRow = {
    ...link,
    ...(patch.url === undefined ? {} : { url: patch.url }),
    ...(patch.title === undefined ? {} : { title: patch.title }),
    ...(patch.tags === undefined ? {} : { tags: fold(patch.tags) }),
    ...(patch.external_id === undefined ? {} : { external_id: patch.external_id }),
    ...(patch.redirect_status === undefined ? {} : { redirect_status: patch.redirect_status }),
    ...(patch.forward_query === undefined ? {} : { forward_query: patch.forward_query }),
    ...(patch.enabled === undefined ? {} : { enabled: patch.enabled }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
  }
  if (JSON.stringify(after) === JSON.stringify(link)) return link
  // Versions are told apart by this time, so it must move also within a millisecond.
  after.updated_at = new Date(Math.max(now.getTime(), link.updated_at.getTime() + 1))
  return after
}
