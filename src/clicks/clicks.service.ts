import { Injectable } from '@nestjs/common'

import type { Caller } from '../auth/caller.js'
import { feedStart } from '../platform/database/feed-place.js'
import type { FeedPlace } from '../platform/database/feed-place.js'
import { decodeId } from '../platform/database/ids.js'
import { Cursors, FeedPage, latest, pageSize } from '../platform/http/page.js'
import type { Page } from '../platform/http/page.js'
import { notFound } from '../platform/http/problem.js'
import { ClickDto } from './click.dto.js'
import type { ClickFeedQuery, ListClicksQuery } from './click.dto.js'
import { ClicksRepository } from './clicks.repository.js'

@Injectable()
export class ClicksService {
  constructor(
    private readonly clicks: ClicksRepository,
    private readonly cursors: Cursors,
  ) {}

  async ofLink(caller: Caller, id: string, query: ListClicksQuery): Promise<Page<ClickDto>> {
    const linkId = decodeId('lnk', id)
    if (!linkId) throw notFound('link', id)
    const scope = `clicks of ${linkId}`
    const before = this.cursors.open(query.cursor, query, scope)
    const rows = await this.clicks.newest(caller.workspaceId, linkId, before, pageSize(query) + 1)
    if (!rows) throw notFound('link', id)
    return this.cursors.page(
      rows,
      query,
      scope,
      ({ id: clickId }) => clickId,
      (row) => ClickDto.from(row),
    )
  }

  /** The cursor is given on the last page too: a consumer that keeps it misses nothing and sees nothing twice. */
  async feed(caller: Caller, query: ClickFeedQuery): Promise<Page<ClickDto>> {
    const scope = `click feed of ${caller.workspaceId}`
    if (query.after === latest)
      return new FeedPage([], false, this.sealPlace(await this.clicks.feedEnd(), query, scope))
    const cursor = this.cursors.open(query.after, query, scope, 'after')
    const after = cursor === null ? feedStart : (JSON.parse(cursor) as FeedPlace)
    const linkId = query.link_id === undefined ? null : decodeId('lnk', query.link_id)
    const limit = pageSize(query)
    const rows =
      query.link_id !== undefined && linkId === null
        ? []
        : await this.clicks.feed(caller.workspaceId, linkId, after, limit + 1)
    const shown = rows.slice(0, limit)
    return new FeedPage(
      shown.map((row) => ClickDto.from(row)),
      rows.length > limit,
      this.sealPlace(shown.at(-1) ?? after, query, scope),
    )
  }

  private sealPlace({ tx, id }: FeedPlace, query: object, scope: string): string {
    return this.cursors.seal(JSON.stringify({ tx, id }), query, scope)
  }
}
