/** Erases the fields that could identify a visitor from their clicks. The clicks are still counted. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { decodeId, lowestIdAt, getIdTime } from '../platform/database/ids.js'
import { allowLongerStatements } from '../platform/database/pg-client.js'
import { dayMs } from '../platform/util/clock.js'

/** Ten million clicks in a day take less than a minute. Feeds wait for running transactions, so the time is limited. */
const timeoutMs = 5 * 60_000

/** IDs start with the time, so the range on `id` limits the scan to one day. */
const eraseVisitor = `
  UPDATE clicks SET
    referrer = NULL, ip = NULL, visitor = NULL, language = NULL, region = NULL, city = NULL,
    utm_source = NULL, utm_medium = NULL, utm_campaign = NULL, utm_term = NULL, utm_content = NULL,
    url = split_part(url, '?', 1)
  FROM (SELECT id, workspace_id, visitor FROM clicks WHERE id = $1) AS reported
  WHERE clicks.id >= $2 AND clicks.id < $3
    AND (clicks.id = reported.id OR clicks.workspace_id = reported.workspace_id AND clicks.visitor = reported.visitor)`

@Injectable()
export class VisitorErasure {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Erases the visitor from this click and from all clicks with the same visitor ID. Visitor IDs change daily, so only
   * the click's UTC day is searched. Returns the number of changed clicks, or null if the click does not exist.
   */
  async eraseVisitorOfClick(clickId: string): Promise<number | null> {
    const id = decodeId('clk', clickId)
    if (id === null) return null
    const day = Math.floor(getIdTime(id).getTime() / dayMs) * dayMs
    const [from, to] = [day, day + dayMs].map((time) => lowestIdAt(new Date(time)))
    return this.dataSource.transaction(async (tx) => {
      await allowLongerStatements(tx, timeoutMs)
      const [, count]: [unknown, number] = await tx.query(eraseVisitor, [id, from, to])
      return count === 0 ? null : count
    })
  }
}
