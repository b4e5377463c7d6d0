/** `link-service import`: sends a file and watches the import, which goes on even if the command ends. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

import { print, printJson } from '../../platform/command-line/output.js'
import { StartupError } from '../../platform/config/startup-error.js'
import { plainLine } from '../../platform/util/plain-text.js'
import type { ImportDto } from '../../links/import/import.dto.js'
import { ApiClient } from '../listen/api-client.js'
import { stopSignals } from '../listen/stopping.js'
import { readImportPlan } from './transfer-plan.js'
import type { ImportOptions, ImportPlan } from './transfer-plan.js'
import { inBytes, ProgressBar } from './progress-bar.js'
import { TransferApi } from './transfer-api.js'

const lookEveryMs = 500
const faultsShown = 10
const longestFault = 300

interface ReportedLine {
  line: number
  errors: { field: string | null; code: string; detail: string }[]
  content: string
}

/** Resolves with whether every line was imported. */
export async function importLinks(
  file: string | undefined,
  options: ImportOptions,
  token: string | undefined,
): Promise<boolean> {
  const plan = readImportPlan(file, options, token)
  const progress = new ProgressBar()
  const { asked } = stopSignals()
  const transfer = new TransferApi(plan, asked)
  let importId: string | null = 'importId' in plan.source ? plan.source.importId : null
  const sending = { isDone: false }
  try {
    importId ??= (await upload(plan, transfer, progress, () => (sending.isDone = true))).id
    const ended = await watch(plan, importId, progress, asked)
    const faults = ended.failed > 0 ? await firstFaults(transfer, importId) : []
    if (plan.json) printJson(Object.assign(ended, { faults }))
    else summarize(ended, faults)
    return ended.status === 'finished' && ended.failed === 0
  } catch (error) {
    progress.clear()
    if (!asked.aborted) throw error
    say(
      importId !== null
        ? `The import goes on without this command. To watch it: link-service import --resume ${importId}`
        : sending.isDone
          ? 'Stopped when the whole file was sent: the import may have begun. GET /v1/imports lists it then.'
          : 'Stopped while the file was being sent: nothing was imported.',
    )
    return false
  }
}

async function upload(
  plan: ImportPlan,
  transfer: TransferApi,
  progress: ProgressBar,
  whenSent: () => void,
): Promise<ImportDto> {
  const { source, query } = plan
  if (!('file' in source)) throw new Error('there is no file to send')
  const accepted = await transfer.upload({
    path: source.file,
    query,
    idempotencyKey: randomUUID(),
    onSent: (bytes, of) => {
      progress.show('Sending  ', bytes / Math.max(1, of), inBytes(bytes))
      if (bytes === of) whenSent()
    },
  })
  progress.clear()
  if (!plan.json)
    say(
      `Sent ${inBytes(accepted.bytes)} as ${accepted.id} (${accepted.format}). From here on it needs no command.`,
    )
  return accepted
}

async function watch(
  { api: address, token }: ImportPlan,
  importId: string,
  progress: ProgressBar,
  stop: AbortSignal,
): Promise<ImportDto> {
  const api = new ApiClient(address, token, say, stop, '--url')
  const began = performance.now()
  let linesBefore: number | null = null
  for (;;) {
    const found = await api.find<ImportDto>((client, options) => client.imports.get(importId, options))
    if (!found)
      throw new StartupError(
        `There is no import ${importId} in this token's workspace, or it ended over 7 days ago.`,
      )
    if (found.finished_at !== null) {
      progress.clear()
      return found
    }
    linesBefore ??= found.lines
    const rate = Math.round((found.lines - linesBefore) / ((performance.now() - began) / 1000))
    const rest =
      found.status === 'waiting'
        ? 'waits for other imports of the workspace'
        : `${found.lines} lines, ${rate}/s, ${found.failed} failed`
    progress.show('Importing', found.bytes_done / Math.max(1, found.bytes), rest)
    await pause(lookEveryMs, undefined, { signal: stop })
  }
}

/** The first faults of the report. The rest of it is not read, because it may be long. */
async function firstFaults(transfer: TransferApi, importId: string): Promise<ReportedLine[]> {
  const report = await transfer.download(`/v1/imports/${importId}/report`, 'application/x-ndjson')
  let text = ''
  for await (const piece of report.setEncoding('utf8')) {
    text += piece as string
    if (text.split('\n').length > faultsShown) break
  }
  const lines = text.split('\n').slice(0, -1).slice(0, faultsShown)
  return lines.map((line) => JSON.parse(line) as ReportedLine)
}

function summarize(ended: ImportDto, faults: ReportedLine[]): void {
  const { id, status, dry_run, lines, created, updated, skipped, failed, ignored_columns, error } = ended
  const seconds = (Date.parse(ended.finished_at ?? '') - Date.parse(ended.started_at ?? '')) / 1000
  const rate = seconds > 0 ? `, ${Math.round(lines / seconds)} lines/s` : ''
  print(
    `${id} ${status}${dry_run ? ' (a dry run: nothing was changed)' : ''}: ${lines} ${lines === 1 ? 'line' : 'lines'}${rate}`,
    `  created ${created}, updated ${updated}, skipped ${skipped}, failed ${failed}`,
    ...(ignored_columns.length > 0
      ? [`  columns not used: ${plainLine(ignored_columns.join(', '), 1000)}`]
      : []),
    ...(error === null ? [] : [`  ${plainLine(error, 1000)}`]),
    ...faults.map(({ line, errors }) => {
      const reasons = errors.map(({ field, detail }) => (field === null ? detail : `${field}: ${detail}`))
      return `  line ${line}: ${plainLine(reasons.join(' '), longestFault)}`
    }),
    ...(failed > faults.length ? [`  … all ${failed}: GET /v1/imports/${id}/report`] : []),
  )
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
