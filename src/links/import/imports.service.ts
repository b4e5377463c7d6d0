import { Readable } from 'node:stream'

import { Injectable, StreamableFile } from '@nestjs/common'

import type { Caller } from '../../auth/caller.js'
import { afterCommit } from '../../platform/database/after-commit.js'
import { decodeId, newId } from '../../platform/database/ids.js'
import {
  createStillRunningProblem,
  Idempotency,
  ResponseAlreadyStored,
} from '../../platform/http/idempotency.js'
import { Cursors } from '../../platform/http/input/page.js'
import type { Page, PageQuery } from '../../platform/http/input/page.js'
import { notFound, Problem } from '../../platform/http/problems/problem.js'
import type { StreamedBody } from '../../platform/http/input/body.js'
import { requireMatch } from '../../platform/http/resource-headers.js'
import type { KeyedRequest } from '../../platform/http/request.js'
import { currentTime } from '../../platform/util/clock.js'
import { JobQueue } from '../../platform/queue/job-queue.js'
import { csvLine } from '../../platform/util/csv.js'
import { FaultsRepository } from './faults.repository.js'
import type { FaultyLine } from './faults.repository.js'
import { ImportDto } from './import.dto.js'
import type { CreateImportQuery } from './import.dto.js'
import { Import } from './import.entity.js'
import { ImportsRepository } from './imports.repository.js'
import type { Layout } from './parsing/layout.js'
import { hashBody, UploadWriter } from './upload.js'

const reportHeader = csvLine(['line', 'code', 'reason', 'content'])

@Injectable()
export class ImportsService {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly faults: FaultsRepository,
    private readonly uploads: UploadWriter,
    private readonly idempotency: Idempotency,
    private readonly cursors: Cursors,
    private readonly queue: JobQueue,
  ) {}

  /** Stores the file. Workers create the links later. */
  async create(caller: Caller, query: CreateImportQuery, body: StreamedBody): Promise<ImportDto> {
    if (caller.keyed && (await this.idempotency.hasStoredResponse(caller.keyed)))
      return this.replayResponse(caller.keyed, body)
    const id = newId()
    try {
      const { bytes, hash } = await this.uploads
        .storeBody(id, body, query.format, (layout, maxBytes) =>
          this.imports.insertUpload(createUpload(id, caller, query, layout, maxBytes)),
        )
        .catch((error: Error) => this.rejectUpload(caller.keyed, error))
      this.idempotency.addBody(caller.keyed, hash)
      return await this.idempotency.runOnce(caller.keyed, async (tx) => {
        const accepted = await this.imports.acceptUpload(tx, id, bytes)
        if (!accepted) throw new Problem('unavailable', { headers: { 'retry-after': '1' } })
        afterCommit(tx, () => this.queue.addHints('import', [{ importId: id }]))
        return ImportDto.from(accepted)
      })
    } catch (error) {
      // If this fails too, `deleteAbandonedUploads` deletes the upload later.
      await this.imports.deleteUpload(id).catch(() => undefined)
      throw error
    }
  }

  /**
   * A concurrent request with the same key may have been accepted, and have used up a quota. Its response cannot be
   * replayed here, because the rest of the file was not read, so the client must send the file again.
   */
  private async rejectUpload(keyed: KeyedRequest | null, error: Error): Promise<never> {
    if (keyed && (await this.idempotency.hasStoredResponse(keyed))) throw createStillRunningProblem()
    throw error
  }

  /** A retry must not store its file, because the first one may have used up a quota. Always throws. */
  private async replayResponse(keyed: KeyedRequest, body: StreamedBody): Promise<never> {
    this.idempotency.addBody(keyed, await hashBody(body))
    const response = await this.idempotency.findStoredResponse(keyed)
    if (response) throw new ResponseAlreadyStored(response)
    // The stored response has expired since.
    throw new Problem('unavailable', { headers: { 'retry-after': '1' } })
  }

  list(caller: Caller, query: PageQuery): Promise<Page<ImportDto>> {
    return this.cursors.readPage(query, `imports of ${caller.workspaceId}`, {
      read: (before, limit) => this.imports.listImports(caller, before, limit),
      position: ({ id }) => id,
      show: (row) => ImportDto.from(row),
    })
  }

  async get(caller: Caller, id: string): Promise<ImportDto> {
    return ImportDto.from(await this.find(caller, id))
  }

  async report(caller: Caller, id: string, accept: string | undefined): Promise<StreamableFile> {
    const { id: importId } = await this.find(caller, id)
    const isJson = accept?.includes('application/x-ndjson') === true
    return new StreamableFile(Readable.from(this.reportPages(importId, isJson), { objectMode: false }), {
      type: isJson ? 'application/x-ndjson' : 'text/csv; charset=utf-8',
    })
  }

  /** Reads the report page by page, as fast as the client receives it. */
  private async *reportPages(importId: string, isJson: boolean): AsyncGenerator<string> {
    const write = isJson ? jsonReportLine : csvReportLine
    if (!isJson) yield reportHeader
    for (let last = 0; ;) {
      const page = await this.faults.listFaults(importId, last)
      if (page.length === 0) return
      yield page.map(write).join('')
      last = page.at(-1)!.line
    }
  }

  async cancel(caller: Caller, id: string, ifMatch: string | undefined): Promise<void> {
    const { id: importId } = await this.find(caller, id)
    await this.imports.cancel(importId, (found) => requireMatch(ifMatch, ImportDto.from(found)))
    // Another import of the workspace may be waiting for this one to end.
    const next = await this.imports.findRunnable()
    this.queue.addHints(
      'import',
      next.map((each) => ({ importId: each })),
    )
  }

  private async find(caller: Caller, id: string): Promise<Import> {
    const importId = decodeId('imp', id)
    const found = importId && (await this.imports.findImport(caller, importId))
    if (!found) throw notFound('import')
    return found
  }
}

function createUpload(
  id: string,
  caller: Caller,
  query: CreateImportQuery,
  layout: Layout,
  maxBytes: number,
): Import {
  return Object.assign(new Import(), {
    id,
    workspaceId: caller.workspaceId,
    tokenId: caller.tokenId,
    restrictedTags: caller.tags?.slice() ?? null,
    address: caller.address,
    requestId: caller.requestId,
    status: 'uploading',
    layout,
    onConflict: query.on_conflict ?? 'fail',
    dryRun: query.dry_run === 'true',
    notify: query.notify !== 'false',
    bytes: String(maxBytes),
    bodyOffset: String(layout.offset),
    line: layout.line,
    isInLongLine: false,
    ignoredColumns: [],
    preview: [],
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

function csvReportLine({ line, faults, content }: FaultyLine): string {
  const reasons = faults.map(({ field, detail }) => (field === null ? detail : `${field}: ${detail}`))
  return csvLine([line, faults[0]?.code ?? '', reasons.join(' '), content])
}

function jsonReportLine({ line, faults, content }: FaultyLine): string {
  return `${JSON.stringify({ line, errors: faults, content })}\n`
}
