/** Clicks as they come: a stream for each reader, and one reading of the feed for each workspace that has readers. */
import { Inject, Injectable } from '@nestjs/common'
import type { OnModuleDestroy } from '@nestjs/common'
import type { Readable } from 'node:stream'

import type { Caller } from '../../auth/caller.js'
import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { feedStart } from '../../platform/database/feed-place.js'
import type { FeedPlace } from '../../platform/database/feed-place.js'
import { decodeId, noId } from '../../platform/database/ids.js'
import { Problem } from '../../platform/http/problems/problem.js'
import { every } from '../../platform/util/timers.js'
import { quotaExceeded } from '../../workspaces/quotas.js'
import type { Quota } from '../../workspaces/quotas.js'
import { ClicksRepository } from '../clicks.repository.js'
import { ClicksService } from '../clicks.service.js'
import { ClickStream } from './click-stream.js'
import { clickTest } from './live-query.dto.js'
import type { LiveClicksQuery } from './live-query.dto.js'
import { WorkspaceTail } from './workspace-tail.js'

/** The most streams that one token may have in one process. */
const mostStreams = 5
const streamQuota: Quota = {
  setting: 'WORKSPACE_LIVE_STREAMS',
  describe: (limit) => `${limit} live streams at a time`,
  remedy: 'End one',
}
const commentEveryMs = 15_000
const lookEveryMs = 500

@Injectable()
export class LiveClicksService implements OnModuleDestroy {
  private readonly tails = new Map<string, WorkspaceTail>()
  private readonly streams = new Set<ClickStream>()
  /** The number of open streams of each token and of each workspace. */
  private readonly counts = new Map<string, number>()

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly clicks: ClicksRepository,
    private readonly feed: ClicksService,
  ) {}

  /** Opens a stream. It ends once `mayRead`, asked again and again, says that the caller may no longer read. */
  async open(
    caller: Caller,
    query: LiveClicksQuery,
    lastEventId: string | undefined,
    mayRead: () => Promise<boolean>,
  ): Promise<Readable> {
    const { workspaceId } = caller
    const linkId = query.link_id === undefined ? null : (decodeId('lnk', query.link_id) ?? noId)
    const filter = { link_id: query.link_id }
    const resumed = lastEventId === '' ? feedStart : this.feed.placeOf(caller, filter, lastEventId)
    this.takeStream(caller)
    try {
      const stream = new ClickStream({
        place: resumed ?? (await this.clicks.feedEnd()),
        isWanted: clickTest(query, linkId),
        cursorAt: (place) => this.feed.cursorAt(caller, filter, place),
        read: (after, limit) => this.clicks.feed(workspaceId, null, after, limit),
      })
      await this.follow(workspaceId, stream)
      this.watchOver(stream, mayRead, () => this.giveStreamBack(caller))
      return stream.output
    } catch (error) {
      this.giveStreamBack(caller)
      throw error
    }
  }

  onModuleDestroy(): void {
    for (const stream of this.streams) stream.end()
  }

  private async follow(workspaceId: string, stream: ClickStream): Promise<void> {
    const tail = this.tailOf(workspaceId)
    await tail.add(stream)
    this.streams.add(stream)
    stream.output.once('close', () => {
      this.streams.delete(stream)
      tail.remove(stream)
    })
    stream.catchUp().catch(() => stream.end())
  }

  private watchOver(stream: ClickStream, mayRead: () => Promise<boolean>, onClose: () => void): void {
    const endComments = every({ waitMs: commentEveryMs, work: () => stream.comment() })
    const endLooks = every({
      waitMs: lookEveryMs,
      work: async () => {
        if (!(await mayRead())) stream.end()
      },
      onFailure: () => stream.end(),
    })
    stream.output.once('close', () => {
      endComments()
      endLooks()
      onClose()
    })
  }

  private tailOf(workspaceId: string): WorkspaceTail {
    let tail = this.tails.get(workspaceId)
    if (!tail) {
      const made: WorkspaceTail = new WorkspaceTail(
        {
          end: () => this.clicks.feedEnd(),
          read: (after: FeedPlace, limit: number) => this.clicks.feed(workspaceId, null, after, limit),
        },
        () => this.tails.get(workspaceId) === made && this.tails.delete(workspaceId),
      )
      this.tails.set(workspaceId, (tail = made))
    }
    return tail
  }

  private takeStream({ tokenId, workspaceId }: Caller): void {
    const countOf = (owner: string) => this.counts.get(owner) ?? 0
    if (countOf(tokenId) >= mostStreams)
      throw new Problem('rate_limited', {
        detail: `This token follows the clicks ${mostStreams} times already. End one of these streams first.`,
        headers: { 'retry-after': '1' },
      })
    const limit = this.settings.workspaceLiveStreams
    if (limit !== null && countOf(workspaceId) >= limit) throw quotaExceeded(streamQuota, limit)
    for (const owner of [tokenId, workspaceId]) this.counts.set(owner, countOf(owner) + 1)
  }

  private giveStreamBack({ tokenId, workspaceId }: Caller): void {
    for (const owner of [tokenId, workspaceId]) {
      const count = this.counts.get(owner)! - 1
      if (count === 0) this.counts.delete(owner)
      else this.counts.set(owner, count)
    }
  }
}
