/**
 * Counts people without knowing them. A visitor is a hash under a salt, which is new each day and thrown away
 * afterwards. So nobody, not even the operator, can find out later who it was, or follow somebody from day to day.
 */
import { createHmac, randomBytes } from 'node:crypto'

import { Column, type DataSource, Entity, PrimaryColumn } from 'typeorm'

import { currentMs } from '../../platform/util/clock.js'
import { dayMs } from '../../platform/util/days.js'
import type { Click } from '../journal/click-line.js'
import { memoize } from '../../platform/util/memoize.js'

// A click from the last minutes of a day may be written after midnight, so its salt is kept for this long.
const graceMs = 3_600_000

export class Visitors {
  /** The function of each day that turns a visitor into a hash. */
  private readonly days = new Map<number, (who: string) => string>()
  /** Salts of earlier days were deleted, by this process or before it. */
  private keptFrom = -Infinity

  constructor(private readonly dataSource: DataSource) {}

  /** Must run for a batch before `visitorOf` is called for its clicks. */
  async prepare(clicks: readonly Click[]): Promise<void> {
    const earliest = dayOf(currentMs() - graceMs)
    if (earliest > this.keptFrom) await this.forget(earliest)
    for (const day of new Set(clicks.map(({ time }) => dayOf(time))))
      if (!this.days.has(day))
        this.days.set(day, hashing(day < earliest ? randomBytes(32) : await this.shared(day)))
  }

  visitorOf({ workspaceId, address, userAgent, time }: Click): string | null {
    if (address === '') return null
    return this.days.get(dayOf(time))?.(`${workspaceId} ${address} ${userAgent}`) ?? null
  }

  /** The salt of a day, which all processes share. The first one makes it. */
  private async shared(day: number): Promise<Buffer> {
    await this.dataSource.query(
      'INSERT INTO visitor_salts (day, salt) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [dateOf(day), randomBytes(32)],
    )
    const [row]: { salt: Buffer }[] = await this.dataSource.query(
      'SELECT salt FROM visitor_salts WHERE day = $1',
      [dateOf(day)],
    )
    return row?.salt ?? randomBytes(32)
  }

  private async forget(earliest: number): Promise<void> {
    for (const day of this.days.keys()) if (day < earliest) this.days.delete(day)
    await this.dataSource.query('DELETE FROM visitor_salts WHERE day < $1', [dateOf(earliest)])
    this.keptFrom = earliest
  }
}

function hashing(salt: Buffer): (who: string) => string {
  return memoize((who) => createHmac('sha256', salt).update(who).digest('base64url').slice(0, 22))
}

/** The number of the UTC day, counted from the epoch. */
function dayOf(time: number): number {
  return Math.floor(time / dayMs)
}

function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

@Entity('visitor_salts')
export class VisitorSalt {
  @PrimaryColumn({ type: 'date' })
  day!: string

  @Column({ type: 'bytea' })
  salt!: Buffer
}
