/** The end of a workspace's feed, read once for all who follow it, for as long as somebody does. */
import type { FeedPlace } from '../../platform/database/feed-place.js'
import { every } from '../../platform/util/timers.js'
import type { ClickRow } from '../click.entity.js'

const everyMs = 200
const afterFailureMs = 1_000
/** All who follow are given it at once: what the slowest has not taken then is all that waits for it. */
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

  /** From then on the follower is given what is behind the feed's end of that moment, or of an earlier one. */
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

  /** Once for all: a second beginning would pass over what the first follower still needs. */
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
      // Who follows hears nothing while the database is away, and misses nothing.
      afterFailureMs,
      onFailure: () => undefined,
    })
  }
}
