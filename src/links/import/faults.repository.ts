/** The lines that were not imported. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import type { LineFault } from './parsing/line.js'

export interface FaultyLine {
  line: number
  faults: LineFault[]
  content: string
}

@Injectable()
export class FaultsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async insert(tx: EntityManager, importId: string, lines: readonly FaultyLine[]): Promise<void> {
    if (lines.length === 0) return
    await tx.query(
      `INSERT INTO import_faults (import_id, line, faults, content)
       SELECT $1, line, faults, content FROM json_to_recordset($2) AS row (line integer, faults jsonb, content text)`,
      [importId, JSON.stringify(lines)],
    )
  }

  /** The faulty lines after `line`, in the order of the file. */
  after(importId: string, line: number, limit: number): Promise<FaultyLine[]> {
    return this.dataSource.query(
      `SELECT line, faults, content FROM import_faults WHERE import_id = $1 AND line > $2 ORDER BY line LIMIT $3`,
      [importId, line, limit],
    )
  }

  /** Deletes at most `limit` faults. True while there may be more. */
  async forgetSome(importId: string, limit: number): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(
      `WITH gone AS (
         DELETE FROM import_faults WHERE import_id = $1 AND line IN (
           SELECT line FROM import_faults WHERE import_id = $1 ORDER BY line LIMIT ${limit}) RETURNING 1
       ) SELECT 1 FROM gone`,
      [importId],
    )
    return rows.length === limit
  }
}
