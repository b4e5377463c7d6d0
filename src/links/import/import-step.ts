/** One step of an import: some lines become links, with their events, in the transaction that moves the import on. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { allowLongerStatements, backgroundMayTakeMs } from '../../platform/database/pg-client.js'
import type { InputError } from '../../platform/http/problems/problem.js'
import { newRowIds } from '../write/decide.js'
import { inParts, LinkWriter, repeatingLostRaces } from '../write/link-writer.js'
import type { BatchRow } from '../write/link-writer.js'
import { LinkRules } from '../link-rules.js'
import { DryRuns } from './dry-runs.js'
import type { LineOutcome } from './dry-runs.js'
import { FaultsRepository } from './faults.repository.js'
import type { FaultyLine } from './faults.repository.js'
import { Import } from './import.entity.js'
import { ImportsRepository } from './imports.repository.js'
import { linesInSlice } from './limits.js'
import type { Line, LineFault } from './parsing/line.js'
import type { LinePlace } from './parsing/line-reader.js'

interface Checked {
  rows: BatchRow[]
  faulty: FaultyLine[]
}

/** Lines that were read and checked, and where the import is when they are done. */
export interface PreparedStep {
  lines: readonly Line[]
  checked: Checked
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
    private readonly batches: LinkWriter,
    private readonly dryRuns: DryRuns,
  ) {}

  /** The import as the step leaves it; null where it has ended, or is no longer this runner's. */
  async run(state: Import, prepared: PreparedStep): Promise<Import | null> {
    const { place, isEnd } = prepared
    const isDone = await repeatingLostRaces(() =>
      this.dataSource.transaction(async (tx) => {
        if (!(await this.imports.hold(tx, state))) return false
        await allowLongerStatements(tx, backgroundMayTakeMs)
        const counts = await this.write(tx, state, prepared)
        await this.imports.stepDone(tx, state.id, { ...counts, ...prepared })
        return true
      }),
    )
    if (!isDone || isEnd) return null
    return Object.assign(new Import(), state, { bodyOffset: String(place.offset) })
  }

  /** Checks the lines by the rules for links that are created one by one. */
  async check(lines: readonly Line[]): Promise<Checked> {
    const checked: Checked = { rows: [], faulty: [] }
    for (const [index, line] of lines.entries()) {
      if (index % linesInSlice === linesInSlice - 1) await new Promise(setImmediate)
      if (line.fault) checked.faulty.push(faultyLine(line, [line.fault]))
      else {
        const { fields, faults } = this.rules.check(line.fields)
        if (faults.length === 0) checked.rows.push({ index, fields, ids: newRowIds() })
        else checked.faulty.push(faultyLine(line, faults.map(faultOf)))
      }
    }
    return checked
  }

  private async write(tx: EntityManager, state: Import, { lines, checked: { rows, faulty } }: PreparedStep) {
    const counts = { created: 0, updated: 0, skipped: 0, failed: faulty.length }
    const outcomes = await this.outcomesOf(tx, state, rows)
    const refused: FaultyLine[] = []
    for (const [index, outcome] of outcomes) {
      if (outcome.status === 'failed')
        refused.push(faultyLine(lines[index]!, outcome.fault.errors.map(faultOf)))
      else if (outcome.status !== 'deleted') counts[outcome.status] += 1
    }
    counts.failed += refused.length
    await this.faults.insert(tx, state.id, [...faulty, ...refused])
    return counts
  }

  private outcomesOf(tx: EntityManager, state: Import, rows: BatchRow[]): Promise<Map<number, LineOutcome>> {
    const { id, workspaceId, tokenId, address, requestId, onConflict, notify, dryRun } = state
    const actor = { tokenId, workspaceId, address, requestId }
    return dryRun
      ? this.dryRuns.outcomes(tx, id, actor, rows, onConflict)
      : this.batches.write(tx, actor, inParts(rows), { onConflict, notify })
  }
}

function faultyLine({ number, content }: Line, faults: LineFault[]): FaultyLine {
  return { line: number, faults, content }
}

function faultOf(error: InputError): LineFault {
  const field = 'pointer' in error ? error.pointer.replace(/^\//, '') : ''
  return { field: field || null, code: error.code, detail: error.detail }
}
