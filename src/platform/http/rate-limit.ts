/**
 * How many requests a token may make, and how many all tokens of a workspace together: minting tokens does not multiply
 * what a workspace may ask for. Both are counted over all replicas (shared-counts.ts).
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
import { LimitedCounts, SharedCounts } from './shared-counts.js'
import type { Count } from './shared-counts.js'

/** Whose request it is. */
interface Requester {
  id: string
  workspaceId: string
}

interface Limit {
  /** As the headers call it. */
  name: string
  counts: LimitedCounts
  subjectOf: (requester: Requester) => string
  subject: string
}

@Injectable()
export class RateLimit implements BeforeApplicationShutdown {
  private readonly logger = new Logger(RateLimit.name)
  /** In the order in which they are asked: who is over the limit of the token uses nothing of the workspace's. */
  private readonly limits: readonly Limit[]
  private readonly policy: string
  private readonly shared: SharedCounts

  constructor(
    @Inject(SETTINGS) settings: RunningSettings,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {
    this.limits = [
      ...limit('default', settings.rateLimit, ({ id }) => id, 'This token'),
      ...limit(
        'workspace',
        settings.workspaceRateLimit,
        ({ workspaceId }) => workspaceId,
        'All tokens of this workspace together',
      ),
    ]
    this.policy = this.limits
      .map(({ name, counts: { rate } }) => `"${name}";q=${rate.limit};w=${rate.windowSeconds}`)
      .join(', ')
    this.shared = new SharedCounts(
      dataSource,
      this.limits.map(({ counts }) => counts),
      ({ message }) =>
        this.logger.warn(
          `The shared request counts are out of reach: ${message}. This process counts alone.`,
        ),
    )
  }

  /** Counts one request, and says in the answer's headers what is left. Seldom has to wait. */
  take(requester: Requester, reply: FastifyReply): Promise<void> | undefined {
    if (this.limits.length === 0) return undefined
    const now = Date.now()
    const counts = this.limits.map(({ counts: all, subjectOf }) => all.of(subjectOf(requester), now))
    if (!this.shared.useNow(counts))
      return this.shared.use(counts).then((usedUp) => this.answer(counts, usedUp, reply))
    this.answer(counts, null, reply)
    return undefined
  }

  async forgetOld(): Promise<void> {
    if (this.limits.length === 0) return
    const longestWindow = Math.max(...this.limits.map(({ counts }) => counts.rate.windowSeconds))
    const before = new Date(Date.now() - 2 * longestWindow * 1000)
    await this.dataSource.query('DELETE FROM rate_windows WHERE window_start < $1', [before])
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.shared.close()
  }

  private answer(counts: readonly Count[], usedUp: Count | null, reply: FastifyReply): void {
    const now = Date.now()
    let state = ''
    for (const [index, count] of counts.entries()) {
      const remaining = count === usedUp ? 0 : Math.max(0, count.rate.limit - count.taken + count.left)
      state += `${index > 0 ? ', ' : ''}"${this.limits[index]!.name}";r=${remaining};t=${secondsLeft(count, now)}`
    }
    void reply.header('ratelimit-policy', this.policy)
    void reply.header('ratelimit', state)
    if (!usedUp) return
    const { subject } = this.limits[counts.indexOf(usedUp)]!
    const { limit: most, windowSeconds } = usedUp.rate
    const wait = secondsLeft(usedUp, now)
    throw new Problem('rate_limited', {
      detail: `${subject} may make ${most} requests in ${windowSeconds} seconds. Wait ${wait} seconds.`,
      headers: { 'retry-after': String(wait) },
    })
  }
}

/** None where it is off. */
function limit(name: string, rate: Rate | null, subjectOf: Limit['subjectOf'], subject: string): Limit[] {
  return rate ? [{ name, counts: new LimitedCounts(rate), subjectOf, subject }] : []
}

function secondsLeft({ window, rate }: Count, now: number): number {
  return Math.max(1, Math.ceil((window + rate.windowSeconds * 1000 - now) / 1000))
}
