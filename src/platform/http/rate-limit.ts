/**
 * Limits the requests per key of a policy, across all replicas (shared-counts.ts). The policy determines the key of a
 * request.
 */
import { Logger } from '@nestjs/common'
import type { BeforeApplicationShutdown } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DataSource, EntityManager } from 'typeorm'

import { currentMs } from '../util/clock.js'
import type { Rate } from '../config/rules.js'
import type { Maintenance } from '../database/maintenance.js'
import { Problem } from './problems/problem.js'
import { lastWriteTimeoutMs, withTimeout } from '../util/timers.js'
import { LimitedCounts, OwnCounts, SharedCounts } from './shared-counts.js'
import type { RequestCount } from './shared-counts.js'

// No limit in the code has a longer window than this.
const minRetentionSeconds = 3_600

export interface RatePolicy {
  /** Name of the policy in the headers. */
  name: string
  /** Null if the policy is off. */
  rate: Rate | null
  /** The key of a request, a UUID. Different policies never share a key. */
  getRateKey: (request: FastifyRequest) => string
  /** The rate of a key with its own, which replaces `rate`. It never changes, and its window is at most an hour. */
  findOwnRate?: (request: FastifyRequest) => Rate | null
  /** The subject of the error message: whose requests are limited. */
  subject: string
}

interface Limit extends RatePolicy {
  counts: LimitedCounts
}

/** The limits of a request, and their names and rates as a header. */
interface LimitedBy {
  limits: readonly RatePolicy[]
  header: string
}

export class RateLimit implements BeforeApplicationShutdown {
  private readonly logger = new Logger(RateLimit.name)
  private readonly limits: readonly Limit[]
  private readonly usual: LimitedBy
  /** A policy whose keys can have their own rates. */
  private readonly ownPolicy: RatePolicy | undefined
  private readonly ownCounts = new OwnCounts()
  private readonly shared: SharedCounts

  /** Policies are checked in order. A request over one limit is not counted for any policy. */
  constructor(
    dataSource: DataSource,
    /** Null if another limiter on the same database deletes old counts. */
    maintenance: Maintenance | null,
    policies: readonly RatePolicy[],
  ) {
    this.limits = policies.flatMap((policy) =>
      policy.rate ? [{ ...policy, counts: new LimitedCounts(policy.rate) }] : [],
    )
    maintenance?.addWork('Old request counts could not be deleted', (tx) => this.deleteOld(tx))
    this.usual = createLimitedBy(this.limits.map((limit) => [limit, limit.counts.rate]))
    this.ownPolicy = policies.find(({ findOwnRate }) => findOwnRate !== undefined)
    this.shared = new SharedCounts(
      dataSource,
      [...this.limits.map(({ counts }) => counts), this.ownCounts],
      ({ message }) =>
        this.logger.warn(
          `The shared request counts are unreachable: ${message}. This process counts on its own.`,
        ),
    )
  }

  /** Counts a request and sets the rate limit headers. Returns a promise only if it has to wait. */
  countRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
    const ownRate = this.ownPolicy?.findOwnRate!(request)
    if (ownRate) return this.countOwn(this.ownPolicy!, ownRate, request, reply)
    if (this.limits.length === 0) return undefined
    const now = currentMs()
    const counts = this.limits.map(({ counts: all, getRateKey }) => all.getCount(getRateKey(request), now))
    return this.reserve(counts, this.usual, reply)
  }

  /** Counts a request whose key has its own rate for one of the policies. */
  private countOwn(
    policy: RatePolicy,
    rate: Rate,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> | undefined {
    const now = currentMs()
    const others = this.limits.filter(({ name }) => name !== policy.name)
    const counts = [
      this.ownCounts.getCount(policy.getRateKey(request), rate, now),
      ...others.map(({ counts: all, getRateKey }) => all.getCount(getRateKey(request), now)),
    ]
    const limits = createLimitedBy([
      [policy, rate],
      ...others.map((limit) => [limit, limit.counts.rate] as const),
    ])
    return this.reserve(counts, limits, reply)
  }

  private reserve(
    counts: readonly RequestCount[],
    limits: LimitedBy,
    reply: FastifyReply,
  ): Promise<void> | undefined {
    if (!this.shared.tryReserve(counts))
      return this.shared.reserve(counts).then((usedUp) => {
        addHeaders(counts, limits, usedUp, reply)
        if (usedUp) throw createRateLimitedProblem(usedUp, limits.limits[counts.indexOf(usedUp)]!)
      })
    addHeaders(counts, limits, null, reply)
    return undefined
  }

  private async deleteOld(tx: EntityManager): Promise<void> {
    const longestWindow = Math.max(
      minRetentionSeconds,
      ...this.limits.map(({ counts }) => counts.rate.windowSeconds),
    )
    const before = new Date(currentMs() - 2 * longestWindow * 1000)
    await tx.query('DELETE FROM rate_windows WHERE window_start < $1', [before])
  }

  beforeApplicationShutdown(): Promise<void> {
    return withTimeout(this.shared.close(), lastWriteTimeoutMs, undefined)
  }
}

function createLimitedBy(rates: readonly (readonly [RatePolicy, Rate])[]): LimitedBy {
  return {
    limits: rates.map(([policy]) => policy),
    header: rates.map(([{ name }, rate]) => `"${name}";q=${rate.limit};w=${rate.windowSeconds}`).join(', '),
  }
}

function addHeaders(
  counts: readonly RequestCount[],
  { limits, header }: LimitedBy,
  usedUp: RequestCount | null,
  reply: FastifyReply,
): void {
  const now = currentMs()
  let state = ''
  for (const [index, count] of counts.entries()) {
    const remaining = count === usedUp ? 0 : Math.max(0, count.rate.limit - count.reserved + count.unused)
    state += `${index > 0 ? ', ' : ''}"${limits[index]!.name}";r=${remaining};t=${secondsLeft(count, now)}`
  }
  void reply.header('ratelimit-policy', header)
  void reply.header('ratelimit', state)
}

function createRateLimitedProblem(usedUp: RequestCount, { subject }: RatePolicy): Problem {
  const { limit: most, windowSeconds } = usedUp.rate
  const wait = secondsLeft(usedUp, currentMs())
  return new Problem('rate_limited', {
    detail: `${subject} may make ${most} requests in ${windowSeconds} seconds. Wait ${wait} seconds.`,
    headers: { 'retry-after': String(wait) },
  })
}

function secondsLeft({ window, rate }: RequestCount, now: number): number {
  return Math.max(1, Math.ceil((window + rate.windowSeconds * 1000 - now) / 1000))
}
