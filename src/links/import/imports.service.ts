import { Injectable } from '@nestjs/common'
import type { StreamableFile } from '@nestjs/common'

import type { Caller } from '../../auth/caller.js'
import { afterCommit } from '../../platform/database/after-commit.js'
import { decodeId, newId } from '../../platform/database/ids.js'
import { Idempotency } from '../../platform/http/idempotency.js'
import { Cursors } from '../../platform/http/input/page.js'
import type { Page, PageQuery } from '../../platform/http/input/page.js'
import { notFound, Problem } from '../../platform/http/problems/problem.js'
import type { StreamedBody } from '../../platform/http/input/body.js'
import { currentTime } from '../../platform/util/clock.js'
import { JobQueue } from '../../platform/queue/job-queue.js'
import { FaultsRepository } from './faults.repository.js'
import { ImportDto } from './import.dto.js'
import type { CreateImportQuery } from './import.dto.js'
import { Import } from './import.entity.js'
import { ImportsRepository } from './imports.repository.js'
import type { Layout } from './parsing/layout.js'
import { reportOf } from './report.js'
import { Upload } from './upload.js'

@Injectable()
export class ImportsService {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly faults: FaultsRepository,
    private readonly upload: Upload,
    private readonly idempotency: Idempotency,
    private readonly cursors: Cursors,
    private readonly queue: JobQueue,
  ) {}

  /** Stores the whole body. Workers make the links later. */
  async create(caller: Caller, query: CreateImportQuery, body: StreamedBody): Promise<ImportDto> {
    const id = newId()
    try {
      const { bytes, hash } = await this.upload.take(id, body, query.format, (layout, mostBytes) =>
        this.imports.begin(uploadOf(id, caller, query, layout, mostBytes)),
      )
      this.idempotency.addBody(caller.keyed, hash)
      return await this.idempotency.once(caller.keyed, async (tx) => {
        const accepted = await this.imports.accept(tx, id, bytes)
        if (!accepted) throw new Problem('unavailable', { headers: { 'retry-after': '1' } })
        afterCommit(tx, () => this.queue.hint('import', [{ importId: id }]))
        return ImportDto.from(accepted)
      })
    } catch (error) {
      // If this fails too, `forgetBroken` deletes the upload later.
      await this.imports.discardUpload(id).catch(() => undefined)
      throw error
    }
  }

  list({ workspaceId }: Caller, query: PageQuery): Promise<Page<ImportDto>> {
    return this.cursors.page(query, `imports of ${workspaceId}`, {
      read: (before, limit) => this.imports.list(workspaceId, before, limit),
      position: ({ id }) => id,
      show: (row) => ImportDto.from(row),
    })
  }

  async get(caller: Caller, id: string): Promise<ImportDto> {
    return ImportDto.from(await this.find(caller, id))
  }

  async report(caller: Caller, id: string, accept: string | undefined): Promise<StreamableFile> {
    return reportOf(this.faults, (await this.find(caller, id)).id, accept)
  }

  async cancel(caller: Caller, id: string): Promise<void> {
    const { id: importId } = await this.find(caller, id)
    await this.imports.cancel(importId)
    // Another import may have waited for this one to end.
    const next = await this.imports.mayRun()
    this.queue.hint(
      'import',
      next.map((each) => ({ importId: each })),
    )
  }

  private async find(caller: Caller, id: string): Promise<Import> {
    const importId = decodeId('imp', id)
    const found = importId && (await this.imports.find(caller.workspaceId, importId))
    if (!found) throw notFound('import')
    return found
  }
}

function uploadOf(
  id: string,
  caller: Caller,
  query: CreateImportQuery,
  layout: Layout,
  mostBytes: number,
): Import {
  return Object.assign(new Import(), {
    id,
    workspaceId: caller.workspaceId,
    tokenId: caller.tokenId,
    address: caller.address,
    requestId: caller.requestId,
    status: 'uploading',
    layout,
    onConflict: query.on_conflict ?? 'fail',
    dryRun: query.dry_run === 'true',
    notify: query.notify !== 'false',
    bytes: String(mostBytes),
    bodyOffset: String(layout.offset),
    line: layout.line,
    isInLongLine: false,
    ignoredColumns: [],
    created: 0,
    updated: 0,
    skipped: 0,
    failed: 0,
    attempts: 0,
    runner: null,
    leaseUntil: null,
    error: null,
    touchedAt: currentTime(),
    acceptedAt: null,
    startedAt: null,
    finishedAt: null,
  })
}
