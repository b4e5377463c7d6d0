import { Inject, Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import type { Caller } from '../auth/caller.js'
import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { decodeId } from '../platform/database/ids.js'
import { requireMatch } from '../platform/http/resource-headers.js'
import { Idempotency } from '../platform/http/idempotency.js'
import { Cursors } from '../platform/http/input/page.js'
import type { Page } from '../platform/http/input/page.js'
import { refuseInput } from '../platform/http/input/input.pipe.js'
import { notFound, Problem } from '../platform/http/problems/problem.js'
import { currentTime } from '../platform/util/clock.js'
import type { InputError } from '../platform/http/problems/problem.js'
import type { NewLink } from './batches/link-batches.repository.js'
import { SharedInserts } from './batches/shared-inserts.js'
import { LinkDto } from './link.dto.js'
import type { CreateLink, UpdateLink } from './link.dto.js'
import type { LinkRow } from './link.entity.js'
import {
  LinkRules,
  changed,
  externalIdTaken,
  isTakenExternalId,
  linkCreated,
  linkDeleted,
  linkUpdated,
  newLink,
} from './link-rules.js'
import type { LinkPosition, ListLinksQuery } from './list-links.dto.js'
import { LinksRepository } from './links.repository.js'
import { RedirectLinks } from './redirect/redirect-links.js'
import { slugTakenByOther, slugTakenByOwn } from './addresses.js'

const mostTries = 50

@Injectable()
export class LinksService {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly rules: LinkRules,
    private readonly links: LinksRepository,
    private readonly sharedInserts: SharedInserts,
    private readonly redirectLinks: RedirectLinks,
    private readonly idempotency: Idempotency,
    private readonly cursors: Cursors,
  ) {}

  async create(caller: Caller, body: CreateLink): Promise<LinkDto> {
    const link = newLink(body, body.slug ?? this.rules.makeSlug())
    refuseInput('validation_failed', this.rules.faultsOfNew(body))
    const created = caller.keyed
      ? await this.idempotency.once(caller.keyed, (tx) => this.insert(caller, link, body.slug, tx))
      : await this.insert(caller, link, body.slug)
    this.redirectLinks.cache.invalidate(created.slug)
    return created
  }

  list({ workspaceId }: Caller, query: ListLinksQuery): Promise<Page<LinkDto>> {
    return this.cursors.page(query, `links of ${workspaceId}`, {
      read: (cursor, limit) => {
        const after = cursor === null ? null : (JSON.parse(cursor) as LinkPosition)
        return this.links.list(workspaceId, query, after, limit)
      },
      position: ({ id, total }) =>
        JSON.stringify(query.sort === '-clicks' ? { id, total: Number(total) } : { id }),
      show: (row) => this.show(row),
    })
  }

  async get(caller: Caller, id: string): Promise<LinkDto> {
    return this.show(await this.find(caller, id))
  }

  async update(caller: Caller, id: string, body: UpdateLink, ifMatch: string | undefined): Promise<LinkDto> {
    refuseInput('validation_failed', this.rules.faultsOf(body))
    return this.change(caller, id, ifMatch, async (before, shownBefore) => {
      const after = changed(before, body)
      if (after === before) return shownBefore
      const shown = this.show(after)
      const event = linkUpdated({ id: before.id, workspaceId: caller.workspaceId }, shownBefore, shown)
      return (await refusingTakenIds(() => this.links.update(caller, before, after, event))) ? shown : null
    })
  }

  async delete(caller: Caller, id: string, ifMatch: string | undefined): Promise<void> {
    await this.change(caller, id, ifMatch, async (before, shown) => {
      const event = linkDeleted({ id: before.id, workspaceId: caller.workspaceId }, shown)
      return (await this.links.delete(caller, before, currentTime(), event)) ? shown : null
    })
  }

  /**
   * Reads a link and changes the version that was read. When another call changed the link in between, it starts
   * again. So a change takes two statements and holds no lock between them.
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
      this.redirectLinks.cache.invalidate(changedTo.slug)
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
    if (!found) throw notFound('link')
    return found
  }

  /** The database decides whether a slug is free. When a generated slug is taken, another one is tried. */
  private async insert(
    caller: Caller,
    link: LinkRow,
    chosenSlug: string | undefined,
    tx?: EntityManager,
  ): Promise<LinkDto> {
    for (let tries = 0; tries < mostTries; tries++) {
      const shown = this.show(link)
      const event = linkCreated({ id: link.id, workspaceId: caller.workspaceId }, shown)
      if (await this.store({ actor: caller, row: link, event }, chosenSlug, tx)) return shown
      if (chosenSlug !== undefined) throw await this.slugTaken(caller, chosenSlug, tx)
      link.slug = this.rules.makeSlug()
    }
    throw new Error('no free slug was found')
  }

  /**
   * The error names the link that holds the slug only when it belongs to the caller's workspace and is not deleted. In a
   * transaction it is read there: calls that hold a connection and wait for another one could wait for each other.
   */
  private async slugTaken({ workspaceId }: Caller, slug: string, tx?: EntityManager): Promise<Problem> {
    const [holder] = await this.links.findBySlugs([slug], tx)
    const isOwn = holder?.workspaceId === workspaceId && holder.deletedAt === null
    const detail = isOwn ? slugTakenByOwn(slug, holder.id) : slugTakenByOther(slug)
    return conflict('slug', { pointer: '/slug', code: 'taken', detail })
  }

  /** False when the slug is taken. */
  private store(
    link: NewLink,
    chosenSlug: string | undefined,
    tx: EntityManager | undefined,
  ): Promise<boolean> {
    const { actor, row, event } = link
    return tx || chosenSlug !== undefined || row.external_id !== null
      ? refusingTakenIds(() => this.links.insert(actor, row, event, tx))
      : this.sharedInserts.insert(link)
  }

  private show(link: LinkRow): LinkDto {
    return LinkDto.from(link, this.settings.shortUrlBase)
  }
}

async function refusingTakenIds(write: () => Promise<boolean>): Promise<boolean> {
  try {
    return await write()
  } catch (error) {
    if (!isTakenExternalId(error)) throw error
    throw conflict('external_id', externalIdTaken)
  }
}

function conflict(field: string, error: InputError): Problem {
  return new Problem('conflict', { errors: [error], more: { field } })
}
