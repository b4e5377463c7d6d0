/** The end of a workspace's feed, read once for all who follow it, for as long as somebody does. */
import type { FeedPlace } from '../../platform/database/feed-place.js'
import type { ClickRow } from '../click.entity.js'

const everyMs = 200
const afterFailureMs = 1_000
const pageSize = 500

interface Follower {
  take(clicks: readonly ClickRow[]): void
}

interface Feed {
  end: () => Promise<FeedPlace>
  read: (after: FeedPlace, limit: number) => Promise<ClickRow[]>
}

export class WorkspaceTail {
  private readonly followers = new Set<Follower>()
  private place: FeedPlace | null = null
  private timer: NodeJS.Timeout | null = null
  private isStopped = false

  constructor(
    private readonly feed: Feed,
    private readonly onIdle: () => void,
  ) {}

  /** Resolves with a place before which nothing is taken by the follower. */
  async add(follower: Follower): Promise<FeedPlace> {
    this.followers.add(follower)
    try {
      this.place ??= await this.feed.end()
    } catch (error) {
      this.remove(follower)
      throw error
    }
    this.timer ??= setTimeout(() => void this.read(), everyMs)
    return this.place
  }

  remove(follower: Follower): void {
    this.followers.delete(follower)
    if (this.followers.size > 0) return
    this.isStopped = true
    if (this.timer) clearTimeout(this.timer)
    this.onIdle()
  }

  private async read(): Promise<void> {
    let waitMs = everyMs
    try {
      const clicks = await this.feed.read(this.place!, pageSize)
      const last = clicks.at(-1)
      if (last) this.place = { tx: last.tx, id: last.id }
      for (const follower of this.followers) follower.take(clicks)
      if (clicks.length === pageSize) waitMs = 0
    } catch {
      // Who follows hears nothing while the database is away, and misses nothing.
      waitMs = afterFailureMs
    }
    if (!this.isStopped) this.timer = setTimeout(() => void this.read(), waitMs)
  }
}
