/** The bodies of imports, in pieces of one size: where a piece begins follows from its number. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { run } from '../../platform/database/statements.js'
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
  /** The byte of the body at which the window begins. */
  start: number
}

@Injectable()
export class BodiesRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** False when the upload was given up meanwhile. */
  async add(importId: string, number: number, bytes: Buffer): Promise<boolean> {
    return (await run(this.dataSource.manager, addChunk, [importId, number, bytes])).length > 0
  }

  /** The window for reading on at `offset`: the piece that has this byte, and the next piece. */
  async windowAt(importId: string, offset: number, size: number): Promise<BodyWindow> {
    const number = Math.floor(offset / chunkBytes)
    const rows = await run<{ bytes: Buffer }>(this.dataSource.manager, readChunks, [importId, number])
    const bytes = Buffer.concat(rows.map((row) => row.bytes))
    const start = number * chunkBytes
    return { bytes, start, isLast: start + bytes.length >= size }
  }
}
