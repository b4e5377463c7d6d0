/** Stores imports and their progress. Each change of status is one statement. */
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm'
import { DataSource, LessThan, Not, Repository } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { EventRecorder } from '../../events/event-recorder.js'
import type { EventData } from '../../events/payloads.js'
import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import type { Caller } from '../../auth/caller.js'
import { lockFor } from '../../platform/database/locks.js'
import { requireRoom } from '../../workspaces/quotas.js'
import type { CountedQuota } from '../../workspaces/quotas.js'
import { ImportDto } from './import.dto.js'
import { Import } from './import.entity.js'
import { abandonedUploadMinutes, leaseSeconds, retentionDays, runningInWorkspace } from './limits.js'
import type { LinePlace } from './parsing/line-reader.js'
import type { PreviewRow } from './preview.js'

/** Progress and counts of a completed step. */
export interface StepResult {
  place: LinePlace
  ignored: string[]
  created: number
  updated: number
  skipped: number
  failed: number
  preview: readonly PreviewRow[]
  isEnd: boolean
}

const importQuota: CountedQuota = {
  setting: 'WORKSPACE_IMPORTS',
  describe: (limit) => `${limit} unfinished imports`,
  remedy: 'Wait until an import finishes, cancel an import',
  count: `SELECT count(*) FROM imports WHERE workspace_id = $1 AND status IN ('uploading', 'waiting', 'running')`,
}

const importBytesQuota: CountedQuota = {
  setting: 'WORKSPACE_IMPORT_BYTES',
  describe: (limit) => `${limit / 1024 ** 2} MiB of stored import files`,
  remedy: `Send a smaller file with a Content-Length header, wait until a finished import is deleted after ${retentionDays} days`,
  count: 'SELECT sum(bytes) FROM imports WHERE workspace_id = $1',
}

const hasNoLease = '(lease_until IS NULL OR lease_until < now())'
const runningCount = `(SELECT count(*) FROM imports other
  WHERE other.workspace_id = imports.workspace_id AND other.status = 'running')`
const isNext = `NOT EXISTS (SELECT 1 FROM imports other
  WHERE other.workspace_id = imports.workspace_id AND other.status = 'waiting'
    AND (other.accepted_at, other.id) < (imports.accepted_at, imports.id))`
/** Has no valid lease, and either lost its runner or is the next import to start in its workspace. */
const isRunnable = `${hasNoLease} AND (status = 'running'
  OR status = 'waiting' AND ${isNext} AND ${runningCount} < ${runningInWorkspace})`
const lease = `now() + interval '${leaseSeconds} seconds'`

@Injectable()
export class ImportsRepository {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    @InjectDataSource() private readonly dataSource: DataSource,
    @InjectRepository(Import) private readonly imports: Repository<Import>,
    private readonly events: EventRecorder,
  ) {}

  /** Stores an upload before its file. `bytes` is the maximum size of the file. */
  async insertUpload(upload: Import): Promise<void> {
    const { workspaceImports, workspaceImportBytes } = this.settings
    const { workspaceId, bytes } = upload
    await this.dataSource.transaction(async (tx) => {
      await requireRoom(tx, workspaceId, importQuota, workspaceImports)
      await requireRoom(tx, workspaceId, importBytesQuota, workspaceImportBytes, Number(bytes))
      await tx.insert(Import, upload)
    })
  }

  /** Marks an upload as complete, so that the import is visible and can start. */
  async acceptUpload(tx: EntityManager, id: string, bytes: number): Promise<Import | null> {
    await tx.query(
      `UPDATE imports SET status = 'waiting', bytes = $2, accepted_at = clock_timestamp()
       WHERE id = $1 AND status = 'uploading'`,
      [id, bytes],
    )
    return tx.findOneBy(Import, { id, status: 'waiting' })
  }

  /** Deletes an upload and its stored chunks. */
  async deleteUpload(id: string): Promise<void> {
    await this.imports.delete({ id, status: 'uploading' })
  }

  findImport(caller: Caller, id: string): Promise<Import | null> {
    return this.imports.findOneBy({ id, ...accessibleTo(caller), status: Not('uploading') })
  }

  listImports(caller: Caller, before: string | null, limit: number): Promise<Import[]> {
    return this.imports.find({
      where: {
        ...accessibleTo(caller),
        status: Not('uploading'),
        ...(before === null ? {} : { id: LessThan(before) }),
      },
      order: { id: 'DESC' },
      take: limit,
    })
  }

  /**
   * Cancels an import, after waiting for the running step. Does not change an import that has ended. `check` receives
   * the current row and may throw.
   */
  async cancel(id: string, check: (found: Import) => void = () => undefined): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const found = await tx.findOne(Import, { where: { id }, lock: { mode: 'pessimistic_write' } })
      if (found) check(found)
      const [ended]: [{ id: string }[], number] = await tx.query(
        `UPDATE imports SET status = 'canceled', runner = NULL, lease_until = NULL, finished_at = now()
         WHERE id = $1 AND status IN ('waiting', 'running') RETURNING id`,
        [id],
      )
      if (ended.length > 0) await this.recordEnd(tx, id)
    })
  }

  /** Returns the next import of each workspace that can run now. */
  async findRunnable(): Promise<string[]> {
    const rows: { id: string }[] = await this.dataSource.query(
      `SELECT id FROM (
         SELECT DISTINCT ON (workspace_id) id, accepted_at FROM imports
         WHERE status IN ('waiting', 'running') AND ${isRunnable}
         ORDER BY workspace_id, status = 'running' DESC, accepted_at, id
       ) AS next ORDER BY accepted_at`,
    )
    return rows.map(({ id }) => id)
  }

  /** Claims the import for a runner. Returns null if another runner has it or another import comes first. */
  claimImport(id: string, runner: string): Promise<Import | null> {
    return this.dataSource.transaction(async (tx) => {
      // Serializes the claims of a workspace, so that each claim counts the imports that earlier claims started.
      await tx.query(
        `SELECT pg_advisory_xact_lock($2, hashtext(workspace_id::text)) FROM imports WHERE id = $1`,
        [id, lockFor.imports],
      )
      await tx.query(
        `UPDATE imports SET status = 'running', runner = $2, lease_until = ${lease}, attempts = attempts + 1,
           started_at = coalesce(started_at, now())
         WHERE id = $1 AND status IN ('waiting', 'running') AND ${isRunnable}`,
        [id, runner],
      )
      return tx.findOneBy(Import, { id, runner, status: 'running' })
    })
  }

  /** Locks the import for a step. Returns false if it was canceled, or if another runner claimed or continued it. */
  async lockForStep(tx: EntityManager, { id, runner, bodyOffset }: Import): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      `SELECT 1 FROM imports WHERE id = $1 AND runner = $2 AND body_offset = $3 AND status = 'running' FOR UPDATE`,
      [id, runner, bodyOffset],
    )
    return rows.length > 0
  }

  async saveStep(tx: EntityManager, id: string, step: StepResult): Promise<void> {
    const { place, ignored, created, updated, skipped, failed, preview, isEnd } = step
    await tx.query(
      `UPDATE imports
       SET body_offset = $2, line = $3, is_in_long_line = $4, ignored_columns = $5, created = created + $6,
         updated = updated + $7, skipped = skipped + $8, failed = failed + $9, preview = $10,
         attempts = 0, lease_until = ${lease}
         ${isEnd ? `, status = 'finished', finished_at = clock_timestamp(), runner = NULL` : ''}
       WHERE id = $1`,
      [
        id,
        place.offset,
        place.line,
        place.isInLongLine,
        ignored,
        created,
        updated,
        skipped,
        failed,
        JSON.stringify(preview),
      ],
    )
    if (isEnd) await this.recordEnd(tx, id)
  }

  /** Releases the lease, so that another runner can continue immediately. */
  async releaseImport({ id, runner }: Import): Promise<void> {
    await this.dataSource.query(
      `UPDATE imports SET runner = NULL, lease_until = NULL, attempts = 0
       WHERE id = $1 AND runner = $2 AND status = 'running'`,
      [id, runner],
    )
  }

  async failImport({ id, runner }: Import, error: string): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const [ended]: [{ id: string }[], number] = await tx.query(
        `UPDATE imports SET status = 'failed', error = $3, runner = NULL, finished_at = now()
         WHERE id = $1 AND runner = $2 AND status = 'running' RETURNING id`,
        [id, runner, error],
      )
      if (ended.length > 0) await this.recordEnd(tx, id)
    })
  }

  /** A dry run changes nothing, so its end is not an event. */
  private async recordEnd(tx: EntityManager, id: string): Promise<void> {
    const ended = await tx.findOneByOrFail(Import, { id })
    if (ended.dryRun) return
    const data = { import: ImportDto.from(ended) } as EventData['import.finished']
    const { workspaceId } = ended
    await this.events.record(tx, { type: 'import.finished', workspaceId, linkId: null, data })
  }

  /** Deletes uploads that received no data for several minutes. */
  async deleteAbandonedUploads(): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM imports WHERE status = 'uploading' AND touched_at < now() - interval '${abandonedUploadMinutes} minutes'`,
    )
  }

  /** Returns some of the imports whose retention is over. */
  async findExpired(): Promise<string[]> {
    const rows: { id: string }[] = await this.dataSource.query(
      `SELECT id FROM imports WHERE finished_at < now() - interval '${retentionDays} days' LIMIT 100`,
    )
    return rows.map(({ id }) => id)
  }

  async deleteImport(id: string): Promise<void> {
    await this.imports.delete({ id })
  }
}

/** A caller who is restricted to tags can access only its own imports: the files of others may have any links. */
function accessibleTo({ workspaceId, tokenId, tags }: Caller) {
  return tags === null ? { workspaceId } : { workspaceId, tokenId }
}
