/** Predicts the results of an import. Stores only the slugs and external IDs of the lines so far. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import type { InputError } from '../../platform/http/problems/problem.js'
import type { RowOutcome } from '../write/decide.js'
import type { ConflictMode } from '../link-fields.js'
import { LinkWriter } from '../write/link-writer.js'
import type { BatchRow, LinkActor } from '../write/link-writer.js'
import type { CreateLink, LinkDto } from '../link.dto.js'

/** The outcome of a line. The link is missing if a line of an earlier step has the same slug or external ID. */
export type LineOutcome =
  | { status: Exclude<RowOutcome['status'], 'failed'>; link?: LinkDto }
  | { status: 'failed'; fault: { errors: InputError[] } }

@Injectable()
export class DryRuns {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly writer: LinkWriter,
  ) {}

  async predictOutcomes(
    tx: EntityManager,
    importId: string,
    actor: LinkActor,
    rows: readonly BatchRow[],
    onConflict: ConflictMode,
  ): Promise<Map<number, LineOutcome>> {
    const used = await this.findUsedKeys(
      tx,
      importId,
      rows.flatMap(({ fields }) => getUniqueKeys(fields)),
    )
    const isNew = ({ fields }: BatchRow) => !getUniqueKeys(fields).some((key) => used.has(key))
    const outcomes = new Map<number, LineOutcome>(
      await this.writer.predictOutcomes(tx, actor, rows.filter(isNew), onConflict),
    )
    for (const row of rows)
      if (!isNew(row)) outcomes.set(row.index, getDuplicateOutcome(row.fields, used, onConflict))
    const accepted = rows.filter(({ index }) => outcomes.get(index)?.status !== 'failed')
    await tx.query(
      `INSERT INTO import_dry_run_keys (import_id, key) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING`,
      [importId, accepted.flatMap(({ fields }) => getUniqueKeys(fields))],
    )
    return outcomes
  }

  /** Deletes at most `limit` slugs and external IDs. Returns whether there may be more. */
  async deleteKeys(importId: string, limit: number): Promise<boolean> {
    const [, deleted]: [unknown[], number] = await this.dataSource.query(
      `DELETE FROM import_dry_run_keys WHERE import_id = $1 AND key IN (
         SELECT key FROM import_dry_run_keys WHERE import_id = $1 ORDER BY key LIMIT $2)`,
      [importId, limit],
    )
    return deleted === limit
  }

  private async findUsedKeys(tx: EntityManager, importId: string, keys: string[]): Promise<Set<string>> {
    const rows: { key: string }[] = await tx.query(
      'SELECT key FROM import_dry_run_keys WHERE import_id = $1 AND key = ANY($2)',
      [importId, keys],
    )
    return new Set(rows.map(({ key }) => key))
  }
}

function getUniqueKeys({ slug, external_id }: CreateLink): string[] {
  return [
    ...(slug === undefined ? [] : [`slug ${slug}`]),
    ...(external_id == null ? [] : [`external_id ${external_id}`]),
  ]
}

/** Returns the outcome of a line whose slug or external ID an earlier line of the dry run used. */
function getDuplicateOutcome(
  fields: CreateLink,
  used: ReadonlySet<string>,
  onConflict: ConflictMode,
): LineOutcome {
  if (onConflict === 'skip') return { status: 'skipped' }
  if (onConflict === 'update') return { status: 'updated' }
  const taken = getUniqueKeys(fields).filter((key) => used.has(key))
  const errors = taken.map((key): InputError => ({
    pointer: `/${key.split(' ')[0]}`,
    code: 'taken',
    detail: 'An earlier line has the same value. Choose another value.',
  }))
  return { status: 'failed', fault: { errors } }
}
