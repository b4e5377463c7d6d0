/** Stores the files of imports in chunks of equal size, so that the number of a chunk determines its offset. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { runStatement } from '../../platform/database/statements.js'
import { chunkBytes } from './limits.js'
import type { Window } from './parsing/records.js'

const addChunk = {
  name: 'add-import-chunk',
  text: `
    WITH upload AS (UPDATE imports SET touched_at = now() WHERE id = $1 AND status = 'uploading' RETURNING id)
    INSERT INTO import_chunks (import_id, number, bytes) SELECT id, $2, $3 FROM upload RETURNING number`,
}

const readChunks = {
  name: 'read-import-chunks',
  text: 'SELECT bytes FROM import_chunks WHERE import_id = $1 AND number IN ($2, $2 + 1) ORDER BY number',
}

export interface BodyWindow extends Window {
  /** Offset of the window in the file. */
  start: number
}

@Injectable()
export class BodiesRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Stores a chunk. Returns false if the upload was deleted as abandoned. */
  async insertChunk(importId: string, number: number, bytes: Buffer): Promise<boolean> {
    return (await runStatement(this.dataSource.manager, addChunk, [importId, number, bytes])).length > 0
  }

  /** Returns the chunk that contains `offset`, together with the next chunk. */
  async windowAt(importId: string, offset: number, size: number): Promise<BodyWindow> {
    const number = Math.floor(offset / chunkBytes)
    const rows = await runStatement<{ bytes: Buffer }>(this.dataSource.manager, readChunks, [
      importId,
      number,
    ])
    const bytes = Buffer.concat(rows.map((row) => row.bytes))
    const start = number * chunkBytes
    return { bytes, start, isLast: start + bytes.length >= size }
  }
}
