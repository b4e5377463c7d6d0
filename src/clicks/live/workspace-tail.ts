/** The end of a workspace's feed, read once for all who follow it, for as long as somebody does. */
import type { FeedPlace } from '../../platform/database/feed-place.js'
import type { ClickRow } from '../click.entity.js'

const everyMs = 200
const afterFailureMs = 1_000
/** All who follow are given it at once: what the slowest has not taken then is all that waits for it. */
const pageSize = 200

interface Follower {
  take(clicks: readonly ClickRow[]): void
}

interface Feed {
  end: () => Promise<FeedPlace>
  read: (after: FeedPlace, limit: number) => Promise<ClickRow[]>
}

export class WorkspaceTail {
  private readonly followers = new Set<Follower>()
  private started: Promise<void> | null = null
  private timer: NodeJS.Timeout | null = null
  private isStopped = false

  constructor(
    private readonly feed: Feed,
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
    if (this.timer) clearTimeout(this.timer)
    this.onIdle()
  }

  /** Once for all: a second beginning would pass over what the first follower still needs. */
  private async start(): Promise<void> {
    this.readLater(await this.feed.end(), everyMs)
  }

  private readLater(place: FeedPlace, waitMs: number): void {
    if (!this.isStopped) this.timer = setTimeout(() => void this.read(place), waitMs)
  }

  private async read(place: FeedPlace): Promise<void> {
    try {
      const clicks = await this.feed.read(place, pageSize)
      for (const follower of this.followers) follower.take(clicks)
      const { tx, id } = clicks.at(-1) ?? place
      this.readLater({ tx, id }, clicks.length === pageSize ? 0 : everyMs)
    } catch {
      // Who follows hears nothing while the database is away, and misses nothing.
      this.readLater(place, afterFailureMs)
    }
  }
}
