/** Follows the end of a workspace's feed. One reading serves all followers, and goes on as long as there are any. */
import type { FeedPlace } from '../../platform/database/feed-place.js'
import { every } from '../../platform/util/timers.js'
import type { ClickRow } from '../click.entity.js'

const everyMs = 200
const afterFailureMs = 1_000
/** Clicks read at once. Every follower gets the whole page, so a slow one is one page over its limit at most. */
const pageSize = 200

interface Follower {
  take(clicks: readonly ClickRow[]): void
}

interface ClickFeed {
  end: () => Promise<FeedPlace>
  read: (after: FeedPlace, limit: number) => Promise<ClickRow[]>
}

export class WorkspaceTail {
  private readonly followers = new Set<Follower>()
  private started: Promise<void> | null = null
  private endReads: () => void = () => undefined
  private isStopped = false

  constructor(
    private readonly feed: ClickFeed,
    private readonly onIdle: () => void,
  ) {}

  /** Adds a follower. It is given every click after the feed's present end, and perhaps some from before it. */
  async add(follower: Follower): Promise<void> {
    this.followers.add(follower)
    try {
      await (this.started ??= this.start())
    } catch (error) {
      this.remove(follower)
      throw error
    }
  }

  remove(follower: Follower): void {
    this.followers.delete(follower)
    if (this.followers.size > 0) return
    this.isStopped = true
    this.endReads()
    this.onIdle()
  }

  /** Runs once for all followers: a second beginning would pass over clicks that the first follower still needs. */
  private async start(): Promise<void> {
    let place = await this.feed.end()
    let isBehind = false
    if (this.isStopped) return
    this.endReads = every({
      waitMs: () => (isBehind ? 0 : everyMs),
      work: async () => {
        const clicks = await this.feed.read(place, pageSize)
        for (const follower of this.followers) follower.take(clicks)
        const { tx, id } = clicks.at(-1) ?? place
        place = { tx, id }
        isBehind = clicks.length === pageSize
      },
      // Followers get nothing while the database is away, and miss nothing.
      afterFailureMs,
      onFailure: () => undefined,
    })
  }
}
