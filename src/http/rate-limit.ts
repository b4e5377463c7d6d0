/**
 * One count of requests per token over all replicas, without a query per request: each process counts in memory, adds
 * its counts to the shared table in batches, and learns the total. Far from the limit a request waits for nothing;
 * close to it (the last fifth) each one waits for the shared count, so that replicas together cannot overrun it.
 */
import { Inject, Injectable, Logger } from '@nestjs/common'
import type { OnApplicationShutdown } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import type { FastifyReply } from 'fastify'
import { DataSource } from 'typeorm'

import type { Rate } from '../config/rules.js'
import { SETTINGS } from '../config/settings.js'
import type { RunningSettings } from '../config/settings.js'
import { Problem } from './problem.js'

const syncEveryMs = 200
const closeToLimit = 0.8

interface Count {
  tokenId: string
  window: number
  /** What all processes together had used when last asked. */
  shared: number
  /** Counted here and not yet added to the shared count. */
  unsent: number
}

@Injectable()
export class RateLimit implements OnApplicationShutdown {
  private readonly logger = new Logger(RateLimit.name)
  private counts = new Map<string, Count>()
  private window = 0
  private timer: NodeJS.Timeout | null = null
  private sending: Promise<void> | null = null
  private next: Promise<void> | null = null

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** Counts one request of a token, and says in the answer's headers what is left. Waits only close to the limit. */
  take(tokenId: string, reply: FastifyReply): Promise<void> | undefined {
    const rate = this.settings.rateLimit
    if (!rate) return undefined
    const count = this.countOf(tokenId, rate.windowSeconds)
    count.unsent += 1
    if (count.shared + count.unsent > rate.limit * closeToLimit)
      return this.send().then(() => this.decide(count, rate, reply))
    this.timer ??= setTimeout(() => void this.send(), syncEveryMs).unref()
    this.decide(count, rate, reply)
    return undefined
  }

  private decide(count: Count, rate: Rate, reply: FastifyReply): void {
    const used = count.shared + count.unsent
    const reset = Math.max(1, Math.ceil((count.window + rate.windowSeconds * 1000 - Date.now()) / 1000))
    void reply.header('ratelimit-policy', `"default";q=${rate.limit};w=${rate.windowSeconds}`)
    void reply.header('ratelimit', `"default";r=${Math.max(0, rate.limit - used)};t=${reset}`)
    if (used <= rate.limit) return
    throw new Problem('rate_limited', {
      detail: `This token may make ${rate.limit} requests in ${rate.windowSeconds} seconds. Wait ${reset} seconds.`,
      headers: { 'retry-after': String(reset) },
    })
  }

  async forgetOld(): Promise<void> {
    if (!this.settings.rateLimit) return
    const before = new Date(Date.now() - 2 * this.settings.rateLimit.windowSeconds * 1000)
    await this.dataSource.query('DELETE FROM rate_windows WHERE window_start < $1', [before])
  }

  onApplicationShutdown(): void {
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
    if (!count) this.counts.set(tokenId, (count = { tokenId, window, shared: 0, unsent: 0 }))
    return count
  }

  /** Resolves when everything counted before the call is in the shared count; calls in one moment share a statement. */
  private send(): Promise<void> {
    if (!this.sending) return (this.sending = this.sendNow().finally(() => (this.sending = null)))
    this.next ??= this.sending.then(() => {
      this.next = null
      return this.send()
    })
    return this.next
  }

  private async sendNow(): Promise<void> {
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
    const batch = [...this.counts.values()]
      .filter(({ unsent }) => unsent > 0)
      .map((count) => ({ count, sent: count.unsent }))
    if (batch.length === 0) return
    batch.sort((a, b) => (a.count.tokenId < b.count.tokenId ? -1 : 1))
    try {
      const rows: { token_id: string; used: number }[] = await this.dataSource.query(
        `INSERT INTO rate_windows (token_id, window_start, used)
         SELECT id, $2, used FROM unnest($1::uuid[], $3::int[]) AS batch (id, used)
         ON CONFLICT (token_id, window_start) DO UPDATE SET used = rate_windows.used + excluded.used
         RETURNING token_id, used`,
        [
          batch.map(({ count }) => count.tokenId),
          new Date(batch[0]!.count.window),
          batch.map(({ sent }) => sent),
        ],
      )
      const totals = new Map(rows.map(({ token_id, used }) => [token_id, used]))
      for (const { count, sent } of batch) {
        count.shared = totals.get(count.tokenId) ?? count.shared
        count.unsent -= sent
      }
    } catch (error) {
      this.logger.warn(
        `The shared request counts are out of reach: ${(error as Error).message}. This process counts alone.`,
      )
    }
  }
}
