import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, QueryFailedError } from 'typeorm'
import type { EntityManager } from 'typeorm'

import type { Caller } from '../auth/caller.js'
import { parseDuration } from '../config/duration.js'
import { SETTINGS } from '../config/settings.js'
import type { RunningSettings } from '../config/settings.js'
import { ChangeFeed } from '../database/change-feed.js'
import { decodeId, newId, timeOf } from '../database/ids.js'
import { EventRecorder } from '../events/event-recorder.js'
import { requireMatch } from '../http/entity-tag.js'
import { Idempotency } from '../http/idempotency.js'
import { Cursors, pageSize } from '../http/page.js'
import type { Page } from '../http/page.js'
import { Problem } from '../http/problem.js'
import type { InputError } from '../http/problem.js'
import { LinkDto, noClicks } from './link.dto.js'
import type { CreateLink, UpdateLink } from './link.dto.js'
import { Link } from './link.entity.js'
import { linkCreated, linkDeleted, linkUpdated } from './link-events.js'
import type { LinkPosition } from './links-page.js'
import { LinksRepository } from './links.repository.js'
import type { CountedLink } from './links.repository.js'
import type { ListLinksQuery } from './list-links.dto.js'
import { ownHosts } from './own-hosts.js'
import type { OwnHosts } from './own-hosts.js'
import { RedirectLinks } from './redirect-links.js'
import { makeSlug, reservedSlugs } from './slug.js'
import { faultOfTarget } from './target-url.js'

const mostTries = 10

@Injectable()
export class LinksService {
  private readonly reserved: ReadonlySet<string>
  private readonly isOwn: OwnHosts

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly links: LinksRepository,
    private readonly redirectLinks: RedirectLinks,
    private readonly idempotency: Idempotency,
    private readonly cursors: Cursors,
    private readonly events: EventRecorder,
  ) {
    this.reserved = reservedSlugs(settings.basePath)
    this.isOwn = ownHosts([this.shortUrlBase, settings.publicUrl], settings.port)
  }

  async create(caller: Caller, body: CreateLink): Promise<LinkDto> {
    const id = newId()
    const createdAt = timeOf(id)
    const link = Object.assign(new Link(), {
      id,
      workspaceId: caller.workspaceId,
      slug: body.slug ?? makeSlug(),
      url: body.url,
      title: body.title ?? null,
      tags: fold(body.tags),
      externalId: body.external_id ?? null,
      redirectStatus: body.redirect_status ?? 302,
      forwardQuery: body.forward_query ?? false,
      enabled: body.enabled ?? true,
      expiresAt: expiryOf(body, createdAt) ?? null,
      createdAt,
      updatedAt: createdAt,
      deletedAt: null,
    })
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
    const created = await this.idempotency.once(caller.claim, async (tx) => {
      await this.insert(tx, link, body.slug !== undefined)
      await ChangeFeed.announce(tx, 'link', [link.slug])
      const shown = this.show({ link, counts: noClicks })
      await this.events.record(tx, linkCreated(link, shown))
      return shown
    })
    this.redirectLinks.forget(link.slug)
    return created
  }

  async list(caller: Caller, query: ListLinksQuery): Promise<Page<LinkDto>> {
    const scope = `links of ${caller.workspaceId}`
    const cursor = this.cursors.open(query.cursor, query, scope)
    const after = cursor === null ? null : (JSON.parse(cursor) as LinkPosition)
    const rows = await this.links.list(caller.workspaceId, query, after, pageSize(query) + 1)
    const position = ({ link, counts }: CountedLink) =>
      JSON.stringify(query.sort === '-clicks' ? { id: link.id, total: counts.total } : { id: link.id })
    return this.cursors.page(rows, query, scope, position, (row) => this.show(row))
  }

  async get(caller: Caller, id: string): Promise<LinkDto> {
    const linkId = decodeId('link', id)
    const found = linkId && (await this.links.find(caller.workspaceId, linkId))
    if (!found) throw new Problem('not_found')
    return this.show(found)
  }

  async update(caller: Caller, id: string, body: UpdateLink, ifMatch: string | undefined): Promise<LinkDto> {
    this.refuse(this.faultsOf(body))
    const shown = await this.dataSource.transaction(async (tx) => {
      const before = await this.lock(tx, caller, id, ifMatch)
      const counts = await this.links.countsOf(tx, before.id)
      const after = changed(before, body)
      const shownAfter = this.show({ link: after, counts })
      if (after === before) return shownAfter
      await this.refusingTakenIds(() => this.links.update(tx, after))
      await ChangeFeed.announce(tx, 'link', [after.slug])
      await this.events.record(tx, linkUpdated(after, this.show({ link: before, counts }), shownAfter))
      return shownAfter
    })
    this.redirectLinks.forget(shown.slug)
    return shown
  }

  async delete(caller: Caller, id: string, ifMatch: string | undefined): Promise<void> {
    const slug = await this.dataSource.transaction(async (tx) => {
      const link = await this.lock(tx, caller, id, ifMatch)
      const shown = this.show({ link, counts: await this.links.countsOf(tx, link.id) })
      await this.links.update(tx, Object.assign(link, { deletedAt: new Date() }))
      await ChangeFeed.announce(tx, 'link', [link.slug])
      await this.events.record(tx, linkDeleted(link, shown))
      return link.slug
    })
    this.redirectLinks.forget(slug)
  }

  private async lock(
    tx: EntityManager,
    caller: Caller,
    id: string,
    ifMatch: string | undefined,
  ): Promise<Link> {
    const linkId = decodeId('link', id)
    const link = linkId && (await this.links.findForUpdate(tx, caller.workspaceId, linkId))
    if (!link) throw new Problem('not_found')
    requireMatch(ifMatch, this.show({ link, counts: noClicks }))
    return link
  }

  /** The database decides whether a slug is free; one that was made up is made up again until it is. */
  private async insert(tx: EntityManager, link: Link, isChosen: boolean): Promise<void> {
    for (let tries = 0; tries < mostTries; tries++) {
      if (!this.reserved.has(link.slug) && (await this.refusingTakenIds(() => this.links.insert(tx, link))))
        return
      if (isChosen)
        throw conflict(
          'slug',
          `The slug ${link.slug} is taken, or was once and is not given out again. Choose another.`,
        )
      link.slug = makeSlug()
    }
    throw new Error('no free slug was found')
  }

  private async refusingTakenIds<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write()
    } catch (error) {
      const { constraint } = (error instanceof QueryFailedError ? error.driverError : {}) as {
        constraint?: string
      }
      if (constraint !== 'links_external_id_key') throw error
      throw conflict(
        'external_id',
        'Another link of the workspace has this external_id. Choose another, or change that link.',
      )
    }
  }

  private faultsOf({ url, expires_at, expires_in }: CreateLink | UpdateLink): InputError[] {
    const faults: InputError[] = []
    const detail = url === undefined ? null : faultOfTarget(url, this.isOwn)
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

  private refuse(errors: InputError[]): void {
    const [first] = errors
    if (first) throw new Problem('validation_failed', { detail: first.detail, errors })
  }

  private get shortUrlBase(): string {
    return this.settings.shortUrlBase ?? this.settings.publicUrl
  }

  private show({ link, counts }: CountedLink): LinkDto {
    return LinkDto.from(link, this.shortUrlBase, counts)
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
function changed(link: Link, patch: UpdateLink): Link {
  const now = new Date()
  const expiresAt = expiryOf(patch, now)
  const wanted: Partial<Link> = {
    ...(patch.url === undefined ? {} : { url: patch.url }),
    ...(patch.title === undefined ? {} : { title: patch.title }),
    ...(patch.tags === undefined ? {} : { tags: fold(patch.tags) }),
    ...(patch.external_id === undefined ? {} : { externalId: patch.external_id }),
    ...(patch.redirect_status === undefined ? {} : { redirectStatus: patch.redirect_status }),
    ...(patch.forward_query === undefined ? {} : { forwardQuery: patch.forward_query }),
    ...(patch.enabled === undefined ? {} : { enabled: patch.enabled }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  }
  const after = Object.assign(new Link(), link, wanted)
  if (JSON.stringify(after) === JSON.stringify(link)) return link
  // Versions are told apart by this time, so it must move also within a millisecond.
  after.updatedAt = new Date(Math.max(now.getTime(), link.updatedAt.getTime() + 1))
  return after
}
