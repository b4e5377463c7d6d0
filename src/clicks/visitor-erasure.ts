/** Removes from clicks what could identify one visitor. The clicks stay, so that they are still counted. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { decodeId, lowestIdAt, timeOf } from '../platform/database/ids.js'
import { allowLongerStatements } from '../platform/database/pg-client.js'
import { dayMs } from '../platform/util/days.js'

/** A day of ten million clicks takes less than a minute. Feeds wait for a transaction, so it must end. */
const mayTakeMs = 5 * 60_000

/** The ids begin with the time, so only the partition and the block ranges of one day are read. */
const eraseVisitor = `
  UPDATE clicks SET
    referrer = NULL, ip = NULL, visitor = NULL, language = NULL, region = NULL, city = NULL,
    utm_source = NULL, utm_medium = NULL, utm_campaign = NULL, utm_term = NULL, utm_content = NULL,
    url = split_part(url, '?', 1)
  FROM (SELECT id, workspace_id, visitor FROM clicks WHERE id = $1) AS known
  WHERE clicks.id >= $2 AND clicks.id < $3
    AND (clicks.id = known.id OR clicks.workspace_id = known.workspace_id AND clicks.visitor = known.visitor)`

@Injectable()
export class VisitorErasure {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Erases the visitor of this click and, because hashes change with the day of UTC, the clicks of that day with the
   * same hash. Returns how many clicks there were; null when the click does not exist.
   */
  async erase(clickId: string): Promise<number | null> {
    const id = decodeId('clk', clickId)
    if (id === null) return null
    const day = Math.floor(timeOf(id).getTime() / dayMs) * dayMs
    const [from, to] = [day, day + dayMs].map((time) => lowestIdAt(new Date(time)))
    return this.dataSource.transaction(async (tx) => {
      await allowLongerStatements(tx, mayTakeMs)
      const [, count]: [unknown, number] = await tx.query(eraseVisitor, [id, from, to])
      return count === 0 ? null : count
    })
  }
}
