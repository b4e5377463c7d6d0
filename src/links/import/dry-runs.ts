/** Foresees what an import would do. It stores only the slugs and external ids that the lines have used so far. */
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import type { Actor } from '../../audit/audit.service.js'
import type { InputError } from '../../platform/http/problems/problem.js'
import type { RowOutcome } from '../write/decide.js'
import type { ConflictMode } from '../link-fields.js'
import { LinkWriter } from '../write/link-writer.js'
import type { BatchRow } from '../write/link-writer.js'
import type { CreateLink } from '../link.dto.js'

/** The outcome of a line. It has less than a `RowOutcome`, because in a dry run some lines have no link. */
export type LineOutcome =
  { status: Exclude<RowOutcome['status'], 'failed'> } | { status: 'failed'; fault: { errors: InputError[] } }

@Injectable()
export class DryRuns {
  constructor(private readonly batches: LinkWriter) {}

  async outcomes(
    tx: EntityManager,
    importId: string,
    actor: Actor,
    rows: readonly BatchRow[],
    onConflict: ConflictMode,
  ): Promise<Map<number, LineOutcome>> {
    const used = await this.usedBefore(
      tx,
      importId,
      rows.flatMap(({ fields }) => keysOf(fields)),
    )
    const isNew = ({ fields }: BatchRow) => !keysOf(fields).some((key) => used.has(key))
    const outcomes = new Map<number, LineOutcome>(
      await this.batches.foresee(tx, actor, rows.filter(isNew), onConflict),
    )
    for (const row of rows) if (!isNew(row)) outcomes.set(row.index, ofRepeated(row.fields, used, onConflict))
    const made = rows.filter(({ index }) => outcomes.get(index)?.status !== 'failed')
    await tx.query(
      `INSERT INTO import_dry_run_keys (import_id, key) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING`,
      [importId, made.flatMap(({ fields }) => keysOf(fields))],
    )
    return outcomes
  }

  private async usedBefore(tx: EntityManager, importId: string, keys: string[]): Promise<Set<string>> {
    const rows: { key: string }[] = await tx.query(
      'SELECT key FROM import_dry_run_keys WHERE import_id = $1 AND key = ANY($2)',
      [importId, keys],
    )
    return new Set(rows.map(({ key }) => key))
  }
}

function keysOf({ slug, external_id }: CreateLink): string[] {
  return [
    ...(slug === undefined ? [] : [`slug ${slug}`]),
    ...(external_id == null ? [] : [`external_id ${external_id}`]),
  ]
}

/** The outcome of a line whose slug or external id an earlier line of the dry run has used. */
function ofRepeated(fields: CreateLink, used: ReadonlySet<string>, onConflict: ConflictMode): LineOutcome {
  if (onConflict === 'skip') return { status: 'skipped' }
  if (onConflict === 'update') return { status: 'updated' }
  const taken = keysOf(fields).filter((key) => used.has(key))
  const errors = taken.map((key): InputError => ({
    pointer: `/${key.split(' ')[0]}`,
    code: 'taken',
    detail: 'An earlier line has the same. Choose another.',
  }))
  return { status: 'failed', fault: { errors } }
}
