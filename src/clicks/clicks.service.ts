import { Injectable } from '@nestjs/common'

import type { Caller } from '../auth/caller.js'
import { feedStart } from '../platform/database/feed-place.js'
import type { FeedPlace } from '../platform/database/feed-place.js'
import { decodeId } from '../platform/database/ids.js'
import { Cursors, FeedPage, latest, pageSize } from '../platform/http/input/page.js'
import type { Page } from '../platform/http/input/page.js'
import { notFound } from '../platform/http/problems/problem.js'
import { ClickDto } from './click.dto.js'
import type { ClickFeedQuery, ListClicksQuery } from './click.dto.js'
import { ClicksRepository } from './clicks.repository.js'

interface FeedParameters {
  link_id?: string | undefined
}

@Injectable()
export class ClicksService {
  constructor(
    private readonly clicks: ClicksRepository,
    private readonly cursors: Cursors,
  ) {}

  async ofLink(caller: Caller, id: string, query: ListClicksQuery): Promise<Page<ClickDto>> {
    const linkId = decodeId('lnk', id)
    if (!linkId) throw notFound('link')
    const scope = `clicks of ${linkId}`
    const before = this.cursors.open(query.cursor, query, scope)
    const rows = await this.clicks.newest(caller.workspaceId, linkId, before, pageSize(query) + 1)
    if (!rows) throw notFound('link')
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
    if (query.after === latest)
      return new FeedPage([], false, this.cursorAt(caller, query, await this.clicks.feedEnd()))
    const after = this.placeOf(caller, query, query.after) ?? feedStart
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
      this.cursorAt(caller, query, shown.at(-1) ?? after),
    )
  }

  /** Null where no cursor is given. */
  placeOf(
    caller: Caller,
    query: FeedParameters,
    cursor: string | undefined,
    cameAs: { parameter: string } | { header: string } = { parameter: 'after' },
  ): FeedPlace | null {
    const place = this.cursors.open(cursor, query, scopeOf(caller), cameAs)
    return place === null ? null : (JSON.parse(place) as FeedPlace)
  }

  /** With the same parameters it leads back to this place, in the feed and in the stream of clicks. */
  cursorAt(caller: Caller, query: FeedParameters, { tx, id }: FeedPlace): string {
    return this.cursors.seal(JSON.stringify({ tx, id }), query, scopeOf(caller))
  }
}

function scopeOf({ workspaceId }: Caller): string {
  return `click feed of ${workspaceId}`
}
