/**
 * Counts people without knowing them: a hash under a salt that is another one each day and is thrown away after it, so
 * that nobody, also not the operator, can find out later who it was or follow somebody from day to day.
 */
import { createHmac, randomBytes } from 'node:crypto'

import { Column, type DataSource, Entity, PrimaryColumn } from 'typeorm'

import { dayMs } from '../../platform/util/days.js'
import type { Click } from '../journal/click-line.js'
import { memoize } from './describe-click.js'

// A click of the last minutes of a day may be written in the first ones of the next.
const graceMs = 3_600_000

export class Visitors {
  /** What turns a visitor into a hash, for each day. */
  private readonly days = new Map<number, (who: string) => string>()

  constructor(private readonly dataSource: DataSource) {}

  /** Must have run for a batch before its visitors are asked for. */
  async prepare(clicks: readonly Click[]): Promise<void> {
    const earliest = dayOf(Date.now() - graceMs)
    if ([...this.days.keys()].some((day) => day < earliest)) await this.forget(earliest)
    for (const day of new Set(clicks.map(({ time }) => dayOf(time))))
      if (!this.days.has(day))
        this.days.set(day, hashing(day < earliest ? randomBytes(32) : await this.shared(day)))
  }

  visitorOf({ workspaceId, address, userAgent, time }: Click): string | null {
    if (address === '') return null
    return this.days.get(dayOf(time))?.(`${workspaceId} ${address} ${userAgent}`) ?? null
  }

  /** The same for all processes, whoever comes first makes it. */
  private async shared(day: number): Promise<Buffer> {
    await this.dataSource.query(
      'INSERT INTO visitor_salts (day, salt) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [dateOf(day), randomBytes(32)],
    )
    const [row]: { salt: Buffer }[] = await this.dataSource.query(
      'SELECT salt FROM visitor_salts WHERE day = $1',
      [dateOf(day)],
    )
    await this.dataSource.query('DELETE FROM visitor_salts WHERE day < $1', [
      dateOf(dayOf(Date.now() - graceMs)),
    ])
    return row?.salt ?? randomBytes(32)
  }

  private async forget(earliest: number): Promise<void> {
    for (const day of this.days.keys()) if (day < earliest) this.days.delete(day)
    await this.dataSource.query('DELETE FROM visitor_salts WHERE day < $1', [dateOf(earliest)])
  }
}

function hashing(salt: Buffer): (who: string) => string {
  return memoize((who) => createHmac('sha256', salt).update(who).digest('base64url').slice(0, 22))
}

/** Days of UTC, since the epoch. */
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
