/**
 * One count of requests per token over all replicas, without a query per request: a process takes requests out of the
 * shared count before it serves them, the more at a time the busier the token and the fewer the closer the limit, and
 * gives back what it has not used. So replicas together never overrun the limit, however they share the requests.
 */
import { Inject, Injectable, Logger } from '@nestjs/common'
import type { BeforeApplicationShutdown } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import type { FastifyReply } from 'fastify'
import { DataSource } from 'typeorm'

import type { Rate } from '../config/rules.js'
import { SETTINGS } from '../config/settings.js'
import type { RunningSettings } from '../config/settings.js'
import { Problem } from './problem.js'

const giveBackAfterMs = 200
// A used-up count is asked about again only so often: another process may have given something back.
const askAgainAfterMs = 100
const mostOfTheRest = 0.1

interface Count {
  tokenId: string
  window: number
  /** Taken out of the shared count, and not yet used here. */
  left: number
  /** How many all processes together had taken when last asked, and when that was. */
  taken: number
  askedAt: number
  /** How many were asked for last time: doubles while the token stays busy. */
  step: number
  waiting: number
  idle: boolean
}

@Injectable()
export class RateLimit implements BeforeApplicationShutdown {
  private readonly logger = new Logger(RateLimit.name)
  private counts = new Map<string, Count>()
  private window = 0
  private changing = new Set<Count>()
  private timer: NodeJS.Timeout | null = null
  private sending: Promise<void> | null = null
  private next: Promise<void> | null = null

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** Counts one request of a token, and says in the answer's headers what is left. Seldom has to wait. */
  take(tokenId: string, reply: FastifyReply): Promise<void> | undefined {
    const rate = this.settings.rateLimit
    if (!rate) return undefined
    const count = this.countOf(tokenId, rate.windowSeconds)
    if (!this.use(count))
      return this.obtain(count, rate).then((granted) => answer(count, rate, granted, reply))
    answer(count, rate, true, reply)
    return undefined
  }

  async forgetOld(): Promise<void> {
    if (!this.settings.rateLimit) return
    const before = new Date(Date.now() - 2 * this.settings.rateLimit.windowSeconds * 1000)
    await this.dataSource.query('DELETE FROM rate_windows WHERE window_start < $1', [before])
  }

  async beforeApplicationShutdown(): Promise<void> {
    for (const count of this.counts.values()) count.idle = true
    await this.giveBack()
    if (this.timer) clearTimeout(this.timer)
  }

  private countOf(tokenId: string, windowSeconds: number): Count {
    const windowMs = windowSeconds * 1000
    const window = Math.floor(Date.now() / windowMs) * windowMs
    if (window !== this.window) {
      this.window = window
      this.counts = new Map()
    }
    let count = this.counts.get(tokenId)
    if (!count) {
      count = { tokenId, window, left: 0, taken: 0, askedAt: -Infinity, step: 0, waiting: 0, idle: false }
      this.counts.set(tokenId, count)
    }
    return count
  }

  private use(count: Count): boolean {
    if (count.left === 0) return false
    count.left -= 1
    count.idle = false
    if (count.left > 0) this.timer ??= setTimeout(() => void this.giveBack(), giveBackAfterMs).unref()
    return true
  }

  /** One request out of the shared count; false when there is none. */
  private async obtain(count: Count, rate: Rate): Promise<boolean> {
    count.waiting += 1
    try {
      while (!this.use(count)) {
        if (isUsedUp(count, rate)) return false
        this.changing.add(count)
        await this.send(rate)
      }
      return true
    } finally {
      count.waiting -= 1
    }
  }

  private async giveBack(): Promise<void> {
    this.timer = null
    const { rateLimit } = this.settings
    const holding = [...this.counts.values()].filter(({ left }) => left > 0)
    for (const count of holding) {
      if (count.idle) this.changing.add(count)
      count.idle = true
    }
    if (rateLimit && this.changing.size > 0) await this.send(rateLimit)
    if (holding.length > 0) this.timer ??= setTimeout(() => void this.giveBack(), giveBackAfterMs).unref()
  }

  /** Resolves when every change noted before the call is in the shared count; those of one moment share a statement. */
  private send(rate: Rate): Promise<void> {
    if (!this.sending) return (this.sending = this.sendNow(rate).finally(() => (this.sending = null)))
    this.next ??= this.sending.then(() => {
      this.next = null
      return this.send(rate)
    })
    return this.next
  }

  private async sendNow(rate: Rate): Promise<void> {
    const batch = [...this.changing].map((count) => ({ count, change: changeOf(count, rate) }))
    this.changing = new Set()
    try {
      const totals = await this.exchange(batch, rate.limit)
      for (const { count, change } of batch) {
        const { used, granted } = totals.get(keyOf(count.tokenId, count.window))!
        if (change > 0) count.left += granted
        count.taken = used
      }
    } catch (error) {
      this.logger.warn(
        `The shared request counts are out of reach: ${(error as Error).message}. This process counts alone.`,
      )
      for (const { count, change } of batch) {
        const granted = Math.max(0, Math.min(change, rate.limit - count.taken))
        count.left += granted
        count.taken += granted
      }
    }
    for (const { count } of batch) count.askedAt = performance.now()
  }

  private async exchange(batch: Change[], limit: number): Promise<Map<string, Total>> {
    const totals = new Map<string, Total>()
    const update = async (changes: Change[]) => {
      const rows: (Total & { token_id: string; window_start: Date })[] = await this.dataSource.query(
        `WITH before AS (
           SELECT id, start, change, used FROM unnest($1::uuid[], $2::timestamptz[], $3::int[]) AS asked (id, start, change)
           JOIN rate_windows ON token_id = id AND window_start = start
           ORDER BY id, start FOR UPDATE OF rate_windows
         ), after AS (
           UPDATE rate_windows SET used = GREATEST(0, LEAST(before.used + change, GREATEST($4, before.used)))
           FROM before WHERE token_id = id AND window_start = start
           RETURNING token_id, window_start, rate_windows.used, rate_windows.used - before.used AS granted
         ) SELECT * FROM after`,
        [...columnsOf(changes), changes.map(({ change }) => change), limit],
      )
      for (const { token_id, window_start, used, granted } of rows)
        totals.set(keyOf(token_id, window_start.getTime()), { used, granted })
    }
    const missing = () => batch.filter(({ count }) => !totals.has(keyOf(count.tokenId, count.window)))

    await update(batch)
    const added = missing()
    if (added.length === 0) return totals
    await this.dataSource.query(
      `INSERT INTO rate_windows (token_id, window_start, used)
       SELECT id, start, 0 FROM unnest($1::uuid[], $2::timestamptz[]) AS added (id, start) ORDER BY id, start
       ON CONFLICT DO NOTHING`,
      columnsOf(added),
    )
    await update(added)
    return totals
  }
}

interface Change {
  count: Count
  change: number
}

interface Total {
  used: number
  granted: number
}

function answer(count: Count, rate: Rate, granted: boolean, reply: FastifyReply): void {
  const remaining = granted ? Math.max(0, rate.limit - count.taken + count.left) : 0
  const reset = Math.max(1, Math.ceil((count.window + rate.windowSeconds * 1000 - Date.now()) / 1000))
  void reply.header('ratelimit-policy', `"default";q=${rate.limit};w=${rate.windowSeconds}`)
  void reply.header('ratelimit', `"default";r=${remaining};t=${reset}`)
  if (granted) return
  throw new Problem('rate_limited', {
    detail: `This token may make ${rate.limit} requests in ${rate.windowSeconds} seconds. Wait ${reset} seconds.`,
    headers: { 'retry-after': String(reset) },
  })
}

/** What to take out of the shared count, or, when nobody waits, to give back. */
function changeOf(count: Count, rate: Rate): number {
  if (count.waiting === 0) {
    const unused = count.left
    count.left = 0
    count.step = 0
    return -unused
  }
  const most = Math.max(1, Math.floor((rate.limit - count.taken) * mostOfTheRest))
  count.step = Math.min(Math.max(1, count.step * 2), most)
  return Math.max(count.waiting, count.step)
}

function isUsedUp({ taken, askedAt }: Count, { limit }: Rate): boolean {
  return taken >= limit && performance.now() - askedAt < askAgainAfterMs
}

function columnsOf(changes: Change[]): [string[], Date[]] {
  return [changes.map(({ count }) => count.tokenId), changes.map(({ count }) => new Date(count.window))]
}

function keyOf(tokenId: string, window: number): string {
  return `${tokenId} ${window}`
}
