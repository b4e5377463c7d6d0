/**
 * Counts requests across all replicas without a query per request. A process reserves requests from the shared count
 * before it serves them: more at a time while the count is busy, fewer near the limit. It returns unused requests. So
 * all replicas together never exceed a limit while they can reach the database.
 */
import type { DataSource } from 'typeorm'

import type { Rate } from '../config/rules.js'
import { BatchedCalls } from '../util/batched-calls.js'

const returnAfterMs = 200
// How long a count is treated as used up. Afterwards, another process may have returned requests.
const recheckAfterMs = 100
const maxShareOfRemaining = 0.1

export interface RequestCount {
  /** The counted key. */
  id: string
  rate: Rate
  window: number
  /** Number of reserved requests that this process has not used. */
  unused: number
  /** Number of requests that all processes had reserved at the last query, and the time of this query. */
  reserved: number
  queriedAt: number
  /** Size of the last reservation. It doubles while the count is busy. */
  step: number
  idle: boolean
}

function newCount(id: string, rate: Rate, window: number): RequestCount {
  return { id, rate, window, unused: 0, reserved: 0, queriedAt: -Infinity, step: 0, idle: false }
}

/** The counts of one limit in the current window. */
export class LimitedCounts {
  private counts = new Map<string, RequestCount>()
  private window = 0
  private readonly windowMs: number

  constructor(readonly rate: Rate) {
    this.windowMs = rate.windowSeconds * 1000
  }

  getCount(id: string, now: number): RequestCount {
    const window = Math.floor(now / this.windowMs) * this.windowMs
    if (window !== this.window) {
      this.window = window
      this.counts = new Map()
    }
    let count = this.counts.get(id)
    if (!count) this.counts.set(id, (count = newCount(id, this.rate, window)))
    return count
  }

  [Symbol.iterator](): Iterator<RequestCount> {
    return this.counts.values()
  }
}

const longestOwnWindowMs = 3_600_000

/** The counts of keys that have their own limits, each in its current window. */
export class OwnCounts {
  private counts = new Map<string, RequestCount>()
  private nextSweepMs = 0

  getCount(id: string, rate: Rate, now: number): RequestCount {
    const windowMs = rate.windowSeconds * 1000
    const window = Math.floor(now / windowMs) * windowMs
    let count = this.counts.get(id)
    if (count?.window !== window) {
      if (now >= this.nextSweepMs) this.deleteEnded(now)
      this.counts.set(id, (count = newCount(id, rate, window)))
    }
    return count
  }

  [Symbol.iterator](): Iterator<RequestCount> {
    return this.counts.values()
  }

  private deleteEnded(now: number): void {
    this.nextSweepMs = now + longestOwnWindowMs
    for (const [id, { window, rate }] of this.counts)
      if (window + rate.windowSeconds * 1000 <= now) this.counts.delete(id)
  }
}

export class SharedCounts {
  private readonly reservations = new BatchedCalls<Reservation, undefined>(
    { maxItems: Infinity, concurrency: 1 },
    (batch) => this.processReservations(batch),
  )
  private timer: NodeJS.Timeout | null = null

  constructor(
    private readonly dataSource: DataSource,
    private readonly limited: readonly Iterable<RequestCount>[],
    private readonly onUnreachable: (error: Error) => void,
  ) {}

  /** Uses a reserved request of each count. If a count has none, uses nothing and returns false. */
  tryReserve(counts: readonly RequestCount[]): boolean {
    for (const { unused } of counts) if (unused === 0) return false
    for (const count of counts) {
      count.unused -= 1
      count.idle = false
      if (count.unused > 0) this.returnUnusedLater()
    }
    return true
  }

  /** Like `tryReserve`, but reserves missing requests in the database. Resolves with a used-up count, or null. */
  async reserve(counts: readonly RequestCount[]): Promise<RequestCount | null> {
    while (!this.tryReserve(counts)) {
      const short = counts.filter(({ unused }) => unused === 0)
      const usedUp = short.find(isUsedUp)
      if (usedUp) return usedUp
      await Promise.all(short.map((count) => this.reservations.call({ count, wanted: 1 })))
    }
    return null
  }

  async close(): Promise<void> {
    for (const counts of this.limited) for (const count of counts) count.idle = true
    await this.returnUnused()
    if (this.timer) clearTimeout(this.timer)
  }

  private returnUnusedLater(): void {
    this.timer ??= setTimeout(() => void this.returnUnused(), returnAfterMs).unref()
  }

  private async returnUnused(): Promise<void> {
    this.timer = null
    const holding = this.limited.flatMap((counts) => [...counts]).filter(({ unused }) => unused > 0)
    const idle = holding.filter((count) => count.idle)
    for (const count of holding) count.idle = true
    await Promise.all(idle.map((count) => this.reservations.call({ count, wanted: 0 })))
    if (holding.length > 0) this.returnUnusedLater()
  }

  private async processReservations(reservations: readonly Reservation[]): Promise<() => undefined> {
    const wanted = new Map<RequestCount, number>()
    for (const { count, wanted: more } of reservations) wanted.set(count, (wanted.get(count) ?? 0) + more)
    const batch = [...wanted].map(([count, number]) => ({ count, change: createChange(count, number) }))
    try {
      const totals = await this.writeChanges(batch)
      for (const { count, change } of batch) {
        const { used, granted } = totals.get(createKey(count.id, count.window))!
        if (change > 0) count.unused += granted
        count.reserved = used
      }
    } catch (error) {
      this.onUnreachable(error as Error)
      for (const { count, change } of batch) {
        const granted = Math.max(0, Math.min(change, count.rate.limit - count.reserved))
        count.unused += granted
        count.reserved += granted
      }
    }
    for (const { count } of batch) count.queriedAt = performance.now()
    return () => undefined
  }

  private async writeChanges(batch: Change[]): Promise<Map<string, Total>> {
    const totals = new Map<string, Total>()
    const update = async (changes: Change[]) => {
      const rows: (Total & { key: string; window_start: Date })[] = await this.dataSource.query(
        `WITH before AS (
           SELECT id, start, change, most, used
           FROM unnest($1::uuid[], $2::timestamptz[], $3::int[], $4::int[]) AS requested (id, start, change, most)
           JOIN rate_windows ON key = id AND window_start = start
           ORDER BY id, start FOR UPDATE OF rate_windows
         ), after AS (
           UPDATE rate_windows SET used = GREATEST(0, LEAST(before.used + change, GREATEST(most, before.used)))
           FROM before WHERE key = id AND window_start = start
           RETURNING key, window_start, rate_windows.used, rate_windows.used - before.used AS granted
         ) SELECT * FROM after`,
        [
          ...toColumns(changes),
          changes.map(({ change }) => change),
          changes.map(({ count }) => count.rate.limit),
        ],
      )
      for (const { key, window_start, used, granted } of rows)
        totals.set(createKey(key, window_start.getTime()), { used, granted })
    }
    const missing = () => batch.filter(({ count }) => !totals.has(createKey(count.id, count.window)))

    await update(batch)
    const added = missing()
    if (added.length === 0) return totals
    await this.dataSource.query(
      `INSERT INTO rate_windows (key, window_start, used)
       SELECT id, start, 0 FROM unnest($1::uuid[], $2::timestamptz[]) AS added (id, start) ORDER BY id, start
       ON CONFLICT DO NOTHING`,
      toColumns(added),
    )
    await update(added)
    return totals
  }
}

/** A call that reserves requests, or returns the unused ones if `wanted` is 0. */
interface Reservation {
  count: RequestCount
  wanted: number
}

interface Change {
  count: RequestCount
  change: number
}

interface Total {
  used: number
  granted: number
}

/** Returns the number of requests to reserve, or the negative number of requests to return. */
function createChange(count: RequestCount, wanted: number): number {
  if (wanted === 0) {
    const { unused } = count
    count.unused = 0
    count.step = 0
    return -unused
  }
  const most = Math.max(1, Math.floor((count.rate.limit - count.reserved) * maxShareOfRemaining))
  count.step = Math.min(Math.max(1, count.step * 2), most)
  return Math.max(wanted, count.step)
}

function isUsedUp({ reserved, queriedAt, rate }: RequestCount): boolean {
  return reserved >= rate.limit && performance.now() - queriedAt < recheckAfterMs
}

function toColumns(changes: Change[]): [string[], Date[]] {
  return [changes.map(({ count }) => count.id), changes.map(({ count }) => new Date(count.window))]
}

function createKey(id: string, window: number): string {
  return `${id} ${window}`
}
