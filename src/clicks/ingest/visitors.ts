/**
 * Computes pseudonymous visitor IDs: hashes with a random salt that changes daily and is then deleted. Afterwards a
 * visitor can no longer be identified, not even by the operator, and cannot be followed across days.
 */
import { createHmac, randomBytes } from 'node:crypto'

import type { DataSource } from 'typeorm'

import { currentMs, dayMs } from '../../platform/util/clock.js'
import type { Click } from '../journal/click-line.js'
import { memoize } from '../../platform/util/memoize.js'

/** A salt is deleted this long after its day, because clicks may be written after midnight. */
const graceMs = 3_600_000

export class Visitors {
  /** The hash function of each day. */
  private readonly days = new Map<number, (visitor: string) => string>()
  /** The earliest day whose salt may still exist. */
  private earliestDay = -Infinity

  constructor(private readonly dataSource: DataSource) {}

  /** Loads the salts for a batch. Call this before `hashVisitor`. */
  async loadSalts(clicks: readonly Click[]): Promise<void> {
    const earliest = toDay(currentMs() - graceMs)
    if (earliest > this.earliestDay) await this.deleteSaltsBefore(earliest)
    for (const day of new Set(clicks.map(({ time }) => toDay(time))))
      if (!this.days.has(day))
        this.days.set(
          day,
          createVisitorHasher(day < earliest ? randomBytes(32) : await this.readSharedSalt(day)),
        )
  }

  hashVisitor({ workspaceId, address, userAgent, time }: Click): string | null {
    if (address === '') return null
    return this.days.get(toDay(time))?.(`${workspaceId} ${address} ${userAgent}`) ?? null
  }

  /** Returns the day's salt, which all processes share. Creates it if it does not exist. */
  private async readSharedSalt(day: number): Promise<Buffer> {
    await this.dataSource.query(
      'INSERT INTO visitor_salts (day, salt) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [toDate(day), randomBytes(32)],
    )
    const [row]: { salt: Buffer }[] = await this.dataSource.query(
      'SELECT salt FROM visitor_salts WHERE day = $1',
      [toDate(day)],
    )
    return row?.salt ?? randomBytes(32)
  }

  private async deleteSaltsBefore(earliest: number): Promise<void> {
    for (const day of this.days.keys()) if (day < earliest) this.days.delete(day)
    await this.dataSource.query('DELETE FROM visitor_salts WHERE day < $1', [toDate(earliest)])
    this.earliestDay = earliest
  }
}

function createVisitorHasher(salt: Buffer): (visitor: string) => string {
  return memoize((visitor) => createHmac('sha256', salt).update(visitor).digest('base64url').slice(0, 22))
}

/** Returns the number of UTC days since the epoch. */
function toDay(time: number): number {
  return Math.floor(time / dayMs)
}

function toDate(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}
