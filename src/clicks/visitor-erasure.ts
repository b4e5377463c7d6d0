/** Removes from clicks what could identify one visitor. The clicks stay, so that they are still counted. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { decodeId } from '../platform/database/ids.js'
import { allowLongerStatements } from '../platform/database/pg-client.js'

/** The clicks of a visitor may be spread over many pages. */
const mayTakeMs = 30_000

const erased = `referrer = NULL, ip = NULL, visitor = NULL, language = NULL, region = NULL, city = NULL, url = split_part(url, '?', 1)`

@Injectable()
export class VisitorErasure {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Erases the visitor of this click, as far as its other clicks can be found: they have the same hash, on the same
   * day. Returns how many clicks there were; null when there is no such click.
   */
  async erase(clickId: string): Promise<number | null> {
    const id = decodeId('clk', clickId)
    if (id === null) return null
    return this.dataSource.transaction(async (tx) => {
      await allowLongerStatements(tx, mayTakeMs)
      const [, count]: [unknown, number] = await tx.query(
        `UPDATE clicks SET ${erased}
         FROM (SELECT id, workspace_id, visitor FROM clicks WHERE id = $1) AS known
         WHERE clicks.id = known.id OR clicks.workspace_id = known.workspace_id AND clicks.visitor = known.visitor`,
        [id],
      )
      return count === 0 ? null : count
    })
  }
}
