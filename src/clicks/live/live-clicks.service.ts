/** Streams clicks live. Each reader has a stream, and all streams of a workspace share one feed poller. */
import { Inject, Injectable } from '@nestjs/common'
import type { OnModuleDestroy } from '@nestjs/common'
import type { Readable } from 'node:stream'

import type { Caller } from '../../auth/caller.js'
import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { feedStart } from '../../platform/database/feed-place.js'
import type { FeedPlace } from '../../platform/database/feed-place.js'
import { decodeId, noId } from '../../platform/database/ids.js'
import { Problem, unavailableRetryAfter } from '../../platform/http/problems/problem.js'
import { runPeriodically } from '../../platform/util/timers.js'
import { quotaExceeded } from '../../workspaces/quotas.js'
import type { Quota } from '../../workspaces/quotas.js'
import { ClicksRepository } from '../clicks.repository.js'
import { ClicksService } from '../clicks.service.js'
import { clickMatcher } from '../click-filters.dto.js'
import type { LiveClicksQuery } from '../click.dto.js'
import { ClickStream } from './click-stream.js'
import { WorkspaceTail } from './workspace-tail.js'

/** Maximum number of open streams of one token in one process. */
const maxStreamsPerToken = 5
const streamQuota: Quota = {
  setting: 'WORKSPACE_LIVE_STREAMS',
  describe: (limit) => `${limit} live streams at a time`,
  remedy: 'Close one',
}
const commentEveryMs = 15_000
const checkPermissionEveryMs = 500

@Injectable()
export class LiveClicksService implements OnModuleDestroy {
  private readonly tails = new Map<string, WorkspaceTail>()
  private readonly streams = new Set<ClickStream>()
  /** Number of open streams by token ID and by workspace ID. */
  private readonly counts = new Map<string, number>()
  private isEnding = false

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly clicks: ClicksRepository,
    private readonly feed: ClicksService,
  ) {}

  /** Opens a stream. It ends when `canRead`, which is called regularly, resolves to false. */
  async openStream(
    caller: Caller,
    query: LiveClicksQuery,
    lastEventId: string | undefined,
    canRead: () => Promise<boolean>,
  ): Promise<Readable> {
    if (this.isEnding) throw new Problem('unavailable', { headers: { 'retry-after': unavailableRetryAfter } })
    const linkId = query.link_id === undefined ? null : (decodeId('lnk', query.link_id) ?? noId)
    const filter = { link_id: query.link_id }
    const resumed = lastEventId === '' ? feedStart : this.feed.openCursor(caller, filter, lastEventId)
    this.countStream(caller)
    try {
      const stream = new ClickStream({
        place: resumed ?? (await this.clicks.feedEnd()),
        matches: clickMatcher(query, linkId),
        cursorAt: (place) => this.feed.cursorAt(caller, filter, place),
        read: (after, limit) => this.clicks.readFeed(caller, null, after, limit),
      })
      await this.startStream(caller, stream)
      this.maintainStream(stream, canRead, () => this.uncountStream(caller))
      return stream.output
    } catch (error) {
      this.uncountStream(caller)
      throw error
    }
  }

  onModuleDestroy(): void {
    this.endStreams()
  }

  /** Ends all streams and rejects new ones, so that clients connect to another process. */
  endStreams(): void {
    this.isEnding = true
    for (const stream of this.streams) stream.end()
  }

  private async startStream(caller: Caller, stream: ClickStream): Promise<void> {
    const tail = this.getTail(caller)
    await tail.addFollower(stream)
    this.streams.add(stream)
    stream.output.once('close', () => {
      this.streams.delete(stream)
      tail.removeFollower(stream)
    })
    // The shutdown may have begun while the tail was started.
    if (this.isEnding) stream.end()
    stream.catchUp().catch(() => stream.end())
  }

  private maintainStream(stream: ClickStream, canRead: () => Promise<boolean>, onClose: () => void): void {
    const stopComments = runPeriodically({ waitMs: commentEveryMs, work: () => stream.sendComment() })
    const stopChecks = runPeriodically({
      waitMs: checkPermissionEveryMs,
      work: async () => {
        if (!(await canRead())) stream.end()
      },
      onFailure: () => stream.end(),
    })
    stream.output.once('close', () => {
      stopComments()
      stopChecks()
      onClose()
    })
  }

  /** Callers that are restricted to the same tags share a tail too. */
  private getTail({ workspaceId, tags }: Caller): WorkspaceTail {
    const key = tags === null ? workspaceId : `${workspaceId} ${JSON.stringify(tags)}`
    let tail = this.tails.get(key)
    if (!tail) {
      const created: WorkspaceTail = new WorkspaceTail(
        {
          end: () => this.clicks.feedEnd(),
          read: (after: FeedPlace, limit: number) =>
            this.clicks.readFeed({ workspaceId, tags }, null, after, limit),
        },
        () => this.tails.get(key) === created && this.tails.delete(key),
      )
      this.tails.set(key, (tail = created))
    }
    return tail
  }

  private countStream({ tokenId, workspaceId }: Caller): void {
    const getCount = (owner: string) => this.counts.get(owner) ?? 0
    if (getCount(tokenId) >= maxStreamsPerToken)
      throw new Problem('rate_limited', {
        detail: `This token has ${maxStreamsPerToken} live streams open. Close one first.`,
        headers: { 'retry-after': '1' },
      })
    const limit = this.settings.workspaceLiveStreams
    if (limit !== null && getCount(workspaceId) >= limit) throw quotaExceeded(streamQuota, limit)
    for (const owner of [tokenId, workspaceId]) this.counts.set(owner, getCount(owner) + 1)
  }

  private uncountStream({ tokenId, workspaceId }: Caller): void {
    for (const owner of [tokenId, workspaceId]) {
      const count = this.counts.get(owner)! - 1
      if (count === 0) this.counts.delete(owner)
      else this.counts.set(owner, count)
    }
  }
}
