/**
 * Counts people without knowing them: a hash under a salt that is another one each day and is thrown away after it, so
 * that nobody, also not the operator, can find out later who it was or follow somebody from day to day.
 */
import { createHmac, randomBytes } from 'node:crypto'

import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import type { Click } from './journal/click.js'

// A click of the last minutes of a day may be written in the first ones of the next.
const graceMs = 3_600_000

@Injectable()
export class Visitors {
  private readonly salts = new Map<string, Buffer>()

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Must have run for a batch before its visitors are asked for. */
  async prepare(clicks: readonly Click[]): Promise<void> {
    const earliest = dayOf(Date.now() - graceMs)
    if ([...this.salts.keys()].some((day) => day < earliest)) await this.forget(earliest)
    for (const day of new Set(clicks.map(({ time }) => dayOf(time))))
      if (!this.salts.has(day)) this.salts.set(day, day < earliest ? randomBytes(32) : await this.shared(day))
  }

  visitorOf({ workspaceId, address, userAgent, time }: Click): string | null {
    const salt = this.salts.get(dayOf(time))
    if (!salt || address === '') return null
    return createHmac('sha256', salt)
      .update(`${workspaceId} ${address} ${userAgent}`)
      .digest('base64url')
      .slice(0, 22)
  }

  /** The same for all processes, whoever comes first makes it. */
  private async shared(day: string): Promise<Buffer> {
    await this.dataSource.query(
      'INSERT INTO visitor_salts (day, salt) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [day, randomBytes(32)],
    )
    const [row]: { salt: Buffer }[] = await this.dataSource.query(
      'SELECT salt FROM visitor_salts WHERE day = $1',
      [day],
    )
    await this.dataSource.query('DELETE FROM visitor_salts WHERE day < $1', [dayOf(Date.now() - graceMs)])
    return row?.salt ?? randomBytes(32)
  }

  private async forget(earliest: string): Promise<void> {
    for (const day of this.salts.keys()) if (day < earliest) this.salts.delete(day)
    await this.dataSource.query('DELETE FROM visitor_salts WHERE day < $1', [earliest])
  }
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
