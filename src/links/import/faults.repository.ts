/** Stores the failed lines of imports, with their errors. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import type { LineFault } from './parsing/records.js'

export interface FaultyLine {
  line: number
  faults: LineFault[]
  content: string
}

/** A page of a report ends after this many lines or bytes. A slow reader keeps a page in memory, and lines can be long. */
const linesPerPage = 500
const bytesPerPage = 256 * 1024

@Injectable()
export class FaultsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async insertFaults(tx: EntityManager, importId: string, lines: readonly FaultyLine[]): Promise<void> {
    if (lines.length === 0) return
    await tx.query(
      `INSERT INTO import_faults (import_id, line, faults, content)
       SELECT $1, line, faults, content FROM json_to_recordset($2) AS row (line integer, faults jsonb, content text)`,
      [importId, JSON.stringify(lines)],
    )
  }

  /** Returns the next failed lines after `line`, in the order of the file. Empty at the end. */
  listFaults(importId: string, line: number): Promise<FaultyLine[]> {
    return this.dataSource.query(
      `SELECT line, faults, content FROM (
         SELECT line, faults, content, sum(octet_length(content)) OVER (ORDER BY line) - octet_length(content) AS bytes_before
         FROM (
           SELECT line, faults, content FROM import_faults WHERE import_id = $1 AND line > $2 ORDER BY line LIMIT $3
         ) AS next
       ) AS page
       WHERE bytes_before < $4 ORDER BY line`,
      [importId, line, linesPerPage, bytesPerPage],
    )
  }

  /** Deletes at most `limit` failed lines. Returns whether there may be more. */
  async deleteFaults(importId: string, limit: number): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(
      `WITH deleted AS (
         DELETE FROM import_faults WHERE import_id = $1 AND line IN (
           SELECT line FROM import_faults WHERE import_id = $1 ORDER BY line LIMIT $2) RETURNING 1
       ) SELECT 1 FROM deleted`,
      [importId, limit],
    )
    return rows.length === limit
  }
}
