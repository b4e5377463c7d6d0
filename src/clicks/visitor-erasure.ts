/** Takes out of the clicks what could tell of one visitor. The clicks stay, so that they are still counted. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { decodeId } from '../platform/database/ids.js'

const erased = `referrer = NULL, ip = NULL, visitor = NULL, language = NULL, region = NULL, city = NULL, url = split_part(url, '?', 1)`

@Injectable()
export class VisitorErasure {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * All clicks of whoever made this one, as far as that can be told: on the same day, by the same hash. How many there
   * were; null where there is no such click.
   */
  async erase(clickId: string): Promise<number | null> {
    const id = decodeId('clk', clickId)
    if (id === null) return null
    const [, count]: [unknown, number] = await this.dataSource.query(
      `UPDATE clicks SET ${erased}
       FROM (SELECT id, workspace_id, visitor FROM clicks WHERE id = $1) AS known
       WHERE clicks.id = known.id OR clicks.workspace_id = known.workspace_id AND clicks.visitor = known.visitor`,
      [id],
    )
    return count === 0 ? null : count
  }
}
