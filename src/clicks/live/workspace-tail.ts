/** Polls the end of a workspace's click feed for all followers, until the last follower is removed. */
import type { FeedPlace, FeedRows } from '../../platform/database/feed-place.js'
import { runPeriodically } from '../../platform/util/timers.js'
import type { ClickRow } from '../click.entity.js'

const pollEveryMs = 200
const afterFailureMs = 1_000
/** Each follower receives whole pages, so a slow follower exceeds its limit by at most one page. */
const pageSize = 200

interface Follower {
  receive(clicks: readonly ClickRow[]): void
}

interface ClickFeed {
  end: () => Promise<FeedPlace>
  read: (after: FeedPlace, limit: number) => Promise<FeedRows<ClickRow>>
}

export class WorkspaceTail {
  private readonly followers = new Set<Follower>()
  private started: Promise<void> | null = null
  private stopPolling: () => void = () => undefined
  private isStopped = false

  constructor(
    private readonly feed: ClickFeed,
    private readonly onIdle: () => void,
  ) {}

  /** Adds a follower. It receives all clicks after the current end of the feed, and possibly some earlier ones. */
  async addFollower(follower: Follower): Promise<void> {
    this.followers.add(follower)
    try {
      await (this.started ??= this.start())
    } catch (error) {
      this.removeFollower(follower)
      throw error
    }
  }

  removeFollower(follower: Follower): void {
    this.followers.delete(follower)
    if (this.followers.size > 0) return
    this.isStopped = true
    this.stopPolling()
    this.onIdle()
  }

  /** Starts polling. Runs once for all followers: a second start would skip clicks that the first follower needs. */
  private async start(): Promise<void> {
    let place = await this.feed.end()
    let isBehind = false
    if (this.isStopped) return
    this.stopPolling = runPeriodically({
      waitMs: () => (isBehind ? 0 : pollEveryMs),
      work: async () => {
        const { rows, end, hasMore } = await this.feed.read(place, pageSize)
        for (const follower of this.followers) follower.receive(rows)
        place = { tx: end.tx, id: end.id }
        isBehind = rows.length === pageSize || hasMore
      },
      // While the database is unavailable, followers receive nothing. They miss no click, because `place` stays.
      afterFailureMs,
      onFailure: () => undefined,
    })
  }
}
