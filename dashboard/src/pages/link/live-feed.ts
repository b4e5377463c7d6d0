/** The state of the live view: the newest clicks, the number of clicks since the start, and the current visitors. */
import type { Click } from '@link-service/client'

import { plural } from '../../app/format.js'

/** The number of clicks shown, which bounds the work on a busy link. */
const maxShown = 100
const minuteMs = 60_000
/** A visitor is current for this long after a click. */
export const currentMs = 5 * minuteMs

/** Collects clicks as they arrive. It outlives a stream, so that the next one continues after the last click. */
export class LiveFeed {
  /** The newest clicks first. */
  clicks: readonly Click[] = []
  /** The number of clicks that arrived. */
  total = 0
  /** The cursor after the last click. Null before the first stream. */
  cursor: string | null = null
  /** Recent clicks from before the start. */
  private readonly recent = new Set<string>()
  private readonly lastSeen = new Map<string, number>()

  /** Adds clicks from before the start, newest first. They are shown, but do not count as arrived. */
  addRecent(recent: readonly Click[]): void {
    this.clicks = recent.slice(0, maxShown)
    for (const click of recent) {
      this.recent.add(click.id)
      this.noteVisitor(click)
    }
  }

  /** Whether the click arrived after the start. */
  hasArrived({ id }: Click): boolean {
    return !this.recent.has(id)
  }

  addArrived(click: Click, cursor: string): void {
    this.cursor = cursor
    this.noteVisitor(click)
    this.total++
    // A click that was recorded between two calls is in both responses.
    if (this.clicks.some(({ id }) => id === click.id)) return
    this.clicks = [click, ...this.clicks].slice(0, maxShown)
  }

  /** Returns the number of visitors with a click in the last minutes. */
  countCurrentVisitors(now: number): number {
    for (const [visitor, at] of this.lastSeen) if (at <= now - currentMs) this.lastSeen.delete(visitor)
    return this.lastSeen.size
  }

  /** Describes the clicks of the last minute, such as `3 clicks`. Only the shown clicks are counted. */
  describeLastMinute(now: number): string {
    const count = this.clicks.filter(({ occurred_at }) => Date.parse(occurred_at) > now - minuteMs).length
    return count === maxShown ? `${count}+ clicks` : plural(count, 'click')
  }

  private noteVisitor({ visitor, bot, occurred_at }: Click): void {
    if (bot || visitor === null) return
    const at = Date.parse(occurred_at)
    this.lastSeen.set(visitor, Math.max(at, this.lastSeen.get(visitor) ?? 0))
  }
}
