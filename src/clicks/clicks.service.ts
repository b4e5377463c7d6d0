import { Injectable } from '@nestjs/common'

import type { Caller } from '../auth/caller.js'
import type { FeedPlace } from '../platform/database/feed-place.js'
import { decodeId, noId } from '../platform/database/ids.js'
import { Cursors } from '../platform/http/input/page.js'
import type { Page, PageQuery } from '../platform/http/input/page.js'
import { notFound } from '../platform/http/problems/problem.js'
import { ClickDto } from './click.dto.js'
import type { ClickFeedQuery } from './click.dto.js'
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

  async listLinkClicks(caller: Caller, linkId: string, query: PageQuery): Promise<Page<ClickDto>> {
    const uuid = decodeId('lnk', linkId)
    if (!uuid) throw notFound('link')
    return this.cursors.readPage(query, `clicks of ${uuid}`, {
      read: async (before, limit) => {
        const rows = await this.clicks.findNewestClicks(caller, uuid, before, limit)
        if (!rows) throw notFound('link')
        return rows
      },
      position: ({ id }) => id,
      show: (row) => ClickDto.fromClick(row),
    })
  }

  listClicks(caller: Caller, query: ClickFeedQuery): Promise<Page<ClickDto>> {
    const linkId = query.link_id === undefined ? null : (decodeId('lnk', query.link_id) ?? noId)
    return this.cursors.readFeedPage(query, getFeedScope(caller), {
      end: () => this.clicks.feedEnd(),
      read: (after, limit) => this.clicks.readFeed(caller, linkId, after, limit),
      show: (row) => ClickDto.fromClick(row),
    })
  }

  /** Returns the feed position in the `Last-Event-ID` header, or null if the header is missing. */
  openCursor(caller: Caller, query: FeedParameters, lastEventId: string | undefined): FeedPlace | null {
    return this.cursors.openPlace(lastEventId, query, getFeedScope(caller), { header: 'Last-Event-ID' })
  }

  /** Returns a cursor for this position. It is valid with the same parameters, in the feed and in the live stream. */
  cursorAt(caller: Caller, query: FeedParameters, place: FeedPlace): string {
    return this.cursors.sealPlace(place, query, getFeedScope(caller))
  }
}

function getFeedScope({ workspaceId }: Caller): string {
  return `click feed of ${workspaceId}`
}
