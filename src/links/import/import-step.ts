/** Runs one step of an import: writes the links of some lines and the progress of the import in one transaction. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { allowLongerStatements, backgroundTimeoutMs } from '../../platform/database/pg-client.js'
import type { InputError } from '../../platform/http/problems/problem.js'
import { newRowIds } from '../write/decide.js'
import { LinkWriter, retryLostRaces, splitIntoParts } from '../write/link-writer.js'
import type { BatchRow } from '../write/link-writer.js'
import type { LinkDto } from '../link.dto.js'
import { LinkRules } from '../link-rules.js'
import { DryRuns } from './dry-runs.js'
import type { LineOutcome } from './dry-runs.js'
import { FaultsRepository } from './faults.repository.js'
import type { FaultyLine } from './faults.repository.js'
import { Import } from './import.entity.js'
import { ImportsRepository } from './imports.repository.js'
import { linesInSlice, previewLines } from './limits.js'
import type { Line, LineFault } from './parsing/records.js'
import type { LinePlace } from './parsing/line-reader.js'
import { createPreviewRow } from './preview.js'
import type { PreviewRow } from './preview.js'

interface ValidatedLines {
  rows: BatchRow[]
  faulty: FaultyLine[]
}

/** Validated lines, and the position of the import after them. */
export interface PreparedStep {
  lines: readonly Line[]
  checked: ValidatedLines
  place: LinePlace
  ignored: string[]
  isEnd: boolean
}

@Injectable()
export class ImportStep {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly imports: ImportsRepository,
    private readonly faults: FaultsRepository,
    private readonly rules: LinkRules,
    private readonly writer: LinkWriter,
    private readonly dryRuns: DryRuns,
  ) {}

  /** Returns the import after the step, or null if it has ended or another runner has claimed it. */
  async runStep(state: Import, prepared: PreparedStep): Promise<Import | null> {
    const { place, isEnd } = prepared
    const written = await retryLostRaces(() =>
      this.dataSource.transaction(async (tx) => {
        if (!(await this.imports.lockForStep(tx, state))) return null
        await allowLongerStatements(tx, backgroundTimeoutMs)
        const result = await this.write(tx, state, prepared)
        await this.imports.saveStep(tx, state.id, { ...result, ...prepared })
        return result
      }),
    )
    if (!written || isEnd) return null
    return Object.assign(new Import(), state, {
      bodyOffset: String(place.offset),
      preview: written.preview,
    })
  }

  /** Validates lines by the same rules as a request that creates a link. */
  async validateLines(lines: readonly Line[]): Promise<ValidatedLines> {
    const checked: ValidatedLines = { rows: [], faulty: [] }
    for (const [index, line] of lines.entries()) {
      if (index % linesInSlice === linesInSlice - 1) await new Promise(setImmediate)
      if (line.fault) checked.faulty.push(faultyLine(line, [line.fault]))
      else {
        const { fields, faults } = this.rules.check(line.fields)
        if (faults.length === 0) checked.rows.push({ index, fields, ids: newRowIds() })
        else checked.faulty.push(faultyLine(line, faults.map(toLineFault)))
      }
    }
    return checked
  }

  private async write(tx: EntityManager, state: Import, { lines, checked: { rows, faulty } }: PreparedStep) {
    const counts = { created: 0, updated: 0, skipped: 0, failed: faulty.length }
    const outcomes = await this.writeRows(tx, state, rows)
    const rejected: FaultyLine[] = []
    const preview: PreviewRow[] = [...state.preview]
    for (const { index, fields } of rows) {
      const outcome = outcomes.get(index)!
      const line = lines[index]!
      if (outcome.status === 'failed') rejected.push(faultyLine(line, outcome.fault.errors.map(toLineFault)))
      else if (outcome.status !== 'deleted') {
        counts[outcome.status] += 1
        if (state.dryRun && preview.length < previewLines)
          preview.push(createPreviewRow(line.number, fields, outcome.status, updatedLink(state, outcome)))
      }
    }
    counts.failed += rejected.length
    await this.faults.insertFaults(tx, state.id, [...faulty, ...rejected])
    return { ...counts, preview }
  }

  private writeRows(tx: EntityManager, state: Import, rows: BatchRow[]): Promise<Map<number, LineOutcome>> {
    const { id, workspaceId, tokenId, address, requestId, onConflict, notify, dryRun, restrictedTags } = state
    const actor = { tokenId, workspaceId, address, requestId, tags: restrictedTags }
    return dryRun
      ? this.dryRuns.predictOutcomes(tx, id, actor, rows, onConflict)
      : this.writer.write(tx, actor, splitIntoParts(rows), { onConflict, notify })
  }
}

/** Returns the existing link with the changes of the line, or null if the line does not update a link. */
function updatedLink({ onConflict }: Import, outcome: LineOutcome): LinkDto | null {
  if (onConflict !== 'update' || outcome.status === 'created' || outcome.status === 'failed') return null
  return outcome.link ?? null
}

function faultyLine({ number, content }: Line, faults: LineFault[]): FaultyLine {
  return { line: number, faults, content }
}

function toLineFault(error: InputError): LineFault {
  const field = 'pointer' in error ? error.pointer.replace(/^\//, '') : ''
  return { field: field || null, code: error.code, detail: error.detail }
}
