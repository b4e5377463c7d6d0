/** Reports tokens that expire soon with `token.expiring`: once 7 days and once 1 day before their expiry. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, In } from 'typeorm'

import { declareJobs, Handles } from '../platform/queue/jobs.js'
import type { JobHandler } from '../platform/queue/jobs.js'
import { currentMs, dayMs } from '../platform/util/clock.js'
import { TokenEvents } from './token-events.js'
import type { ExpiryDays } from './token-events.js'
import { Token } from './token.entity.js'

declare module '../platform/queue/jobs.js' {
  interface Jobs {
    /** Reports tokens that expire soon. */
    'report-expiring-tokens': Record<string, never>
  }
}

const intervalMs = 300_000
const tokensAtOnce = 100

export const tokenExpiryJobs = declareJobs({ 'report-expiring-tokens': { everyMs: () => intervalMs } })

/**
 * Returns the value of `expiry_reported_days` for a new expiry. Reports whose time has already passed count as sent, so
 * that a rotation does not report the old token immediately.
 */
export function expiryDaysPassed(expiresAt: Date): ExpiryDays | null {
  const leftMs = expiresAt.getTime() - currentMs()
  if (leftMs <= dayMs) return 1
  return leftMs <= 7 * dayMs ? 7 : null
}

@Injectable()
@Handles('report-expiring-tokens')
export class TokenExpiry implements JobHandler<'report-expiring-tokens'> {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly events: TokenEvents,
  ) {}

  async handle(): Promise<void> {
    while ((await this.reportExpiring()) === tokensAtOnce);
  }

  /** The lock ensures that each token is reported once. A token with a shorter lifetime is not reported. */
  private reportExpiring(): Promise<number> {
    return this.dataSource.transaction(async (tx) => {
      const due: { id: string; days: ExpiryDays }[] = await tx.query(
        `SELECT id, CASE WHEN expires_at <= now() + interval '1 day' THEN 1 ELSE 7 END AS days FROM tokens
         WHERE revoked_at IS NULL AND expires_at > now() AND expires_at <= now() + interval '7 days'
           AND (
             expires_at <= now() + interval '1 day' AND expires_at - created_at > interval '1 day'
               AND (expiry_reported_days IS NULL OR expiry_reported_days > 1)
             OR expires_at > now() + interval '1 day' AND expires_at - created_at > interval '7 days'
               AND expiry_reported_days IS NULL
           )
         ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED`,
        [tokensAtOnce],
      )
      const days = new Map(due.map((each) => [each.id, each.days]))
      for (const token of await tx.findBy(Token, { id: In([...days.keys()]) })) {
        const expiryReportedDays = days.get(token.id)!
        await tx.update(Token, { id: token.id }, { expiryReportedDays })
        await this.events.recordExpiry(tx, token, expiryReportedDays)
      }
      return due.length
    })
  }
}
