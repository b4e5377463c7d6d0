/** `link-service import`: uploads a file and shows the progress of the import, which does not depend on the command. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

import type { Import, QueryOf } from '@link-service/client'

import { print, printJson } from '../../platform/command-line/output.js'
import { StartupError, UsageError } from '../../platform/config/startup-error.js'
import { decodeId } from '../../platform/database/ids.js'
import { plainLine } from '../../platform/util/plain-text.js'
import { listenForStop } from '../listen/stop-signals.js'
import { withClient } from '../remote/connection.js'
import type { ApiAccess } from '../remote/api-access.js'
import { PatientClient } from '../remote/patient-client.js'
import { definedFields } from '../remote/request-fields.js'
import { formatBytes, ProgressBar } from './progress-bar.js'
import { commandText } from '../../platform/util/program.js'

type ImportQuery = QueryOf<'createImport'>

export interface ImportOptions extends ApiAccess {
  format?: ImportQuery['format']
  onConflict?: ImportQuery['on_conflict']
  dryRun?: true | undefined
  /** Whether the imported links emit events. */
  events: boolean
  /** ID of an import to watch instead of uploading a file. */
  resume?: string | undefined
  json?: true | undefined
}

const maxUploadAttempts = 3
const pollIntervalMs = 500
const maxShownFaults = 10
const maxFaultLength = 300
const detectionBytes = 4096

interface ReportedLine {
  line: number
  errors: { field: string | null; code: string; detail: string }[]
  content: string
}

/** Returns whether every line was imported. */
export async function importLinks(file: string | undefined, options: ImportOptions): Promise<boolean> {
  requireSource(file, options.resume)
  const progress = new ProgressBar()
  const { stop } = listenForStop()
  const api = new PatientClient(options, printNotice, stop)
  let importId = options.resume ?? null
  const sent = { isComplete: false }
  try {
    importId ??= (await upload(file!, options, progress, stop, () => (sent.isComplete = true))).id
    const ended = await watchImport(api, importId, progress, stop)
    const faults = ended.failed > 0 ? await readFirstFaults(api, importId) : []
    if (options.json) printJson(Object.assign(ended, { faults }))
    else printSummary(ended, faults)
    return ended.status === 'finished' && ended.failed === 0
  } catch (error) {
    progress.clear()
    if (!stop.aborted) throw error
    printNotice(
      importId !== null
        ? `The import continues without this command. To watch the import: ${commandText(`import --resume ${importId}`)}`
        : sent.isComplete
          ? 'Stopped after the whole file was sent, so the import may have started. Check GET /v1/imports.'
          : 'Stopped before the whole file was sent. Nothing was imported.',
    )
    return false
  }
}

function requireSource(file: string | undefined, resume: string | undefined): void {
  if ((file === undefined) === (resume === undefined))
    throw new UsageError('import takes either a file, or --resume with the ID of an import.')
  if (resume !== undefined && !decodeId('imp', resume))
    throw new UsageError('--resume takes the ID of an import, which begins with imp_.')
}

/** Uploads a file. Retries after connection errors; the idempotency key of the client prevents a second import. */
async function upload(
  path: string,
  { format, onConflict, dryRun, events, json, ...access }: ImportOptions,
  progress: ProgressBar,
  stop: AbortSignal,
  onSent: () => void,
): Promise<Import> {
  const { size, type } = await inspectFile(path)
  const showSent = (bytes: number) => {
    progress.show('Sending  ', bytes / Math.max(1, size), formatBytes(bytes))
    if (bytes === size) onSent()
  }
  const accepted = await withClient(access, ({ imports }) =>
    imports.create(
      () => openStream(path, showSent),
      definedFields({ format, on_conflict: onConflict, dry_run: dryRun, notify: events ? undefined : false }),
      { type, signal: stop, maxRetries: maxUploadAttempts - 1 },
    ),
  ).catch((error: unknown) => {
    // The options are already validated, so the error concerns the file and not the command line.
    throw error instanceof UsageError ? new StartupError(error.message) : error
  })
  progress.clear()
  if (!json)
    printNotice(
      `Sent ${formatBytes(accepted.bytes)} as ${accepted.id} (${accepted.format}). The service continues without this command.`,
    )
  return accepted
}

function openStream(path: string, onRead: (bytes: number) => void): ReadableStream<Uint8Array> {
  async function* pieces() {
    let bytes = 0
    for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
      onRead((bytes += piece.length))
      yield piece
    }
  }
  return Readable.toWeb(Readable.from(pieces(), { objectMode: false })) as ReadableStream<Uint8Array>
}

/** Returns the size and type of a file. A JSON object begins with a brace, which no header row of a CSV file does. */
async function inspectFile(
  path: string,
): Promise<{ size: number; type: 'application/x-ndjson' | 'text/csv' }> {
  try {
    const found = await stat(path)
    // The beginning of a pipe can be read only once, but a retry sends the whole file again.
    if (!found.isFile())
      throw new StartupError(`${path} is not a regular file. Write the links to a file first.`)
    let beginning = ''
    for await (const piece of createReadStream(path, { end: detectionBytes - 1, encoding: 'utf8' }))
      beginning += piece as string
    const isJson = beginning.replace(/^\ufeff?\s*/, '').startsWith('{')
    return { size: found.size, type: isJson ? 'application/x-ndjson' : 'text/csv' }
  } catch (error) {
    if (error instanceof StartupError) throw error
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new StartupError(
      code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read (${code}).`,
    )
  }
}

async function watchImport(
  api: PatientClient,
  importId: string,
  progress: ProgressBar,
  stop: AbortSignal,
): Promise<Import> {
  const startedAt = performance.now()
  let linesBefore: number | null = null
  for (;;) {
    const found = await api.find((client, options) => client.imports.get(importId, options))
    if (!found)
      throw new StartupError(
        `There is no import ${importId} in this token's workspace, or it ended over 7 days ago.`,
      )
    if (found.finished_at !== null) {
      progress.clear()
      return found
    }
    linesBefore ??= found.lines
    const rate = Math.round((found.lines - linesBefore) / ((performance.now() - startedAt) / 1000))
    const details =
      found.status === 'waiting'
        ? 'waiting for other imports of the workspace'
        : `${found.lines} lines, ${rate}/s, ${found.failed} failed`
    progress.show('Importing', found.bytes_processed / Math.max(1, found.bytes), details)
    await pause(pollIntervalMs, undefined, { signal: stop })
  }
}

/** Reads the first lines of the report, which can be long. */
async function readFirstFaults(api: PatientClient, importId: string): Promise<ReportedLine[]> {
  const report = await api.call((client, options) => client.imports.report(importId, options))
  let text = ''
  for await (const piece of Readable.from(report).setEncoding('utf8')) {
    text += piece as string
    if (text.split('\n').length > maxShownFaults) break
  }
  const lines = text.split('\n').slice(0, -1).slice(0, maxShownFaults)
  return lines.map((line) => JSON.parse(line) as ReportedLine)
}

function printSummary(ended: Import, faults: ReportedLine[]): void {
  const { id, status, dry_run, lines, created, updated, skipped, failed, ignored_columns, error } = ended
  const seconds = (Date.parse(ended.finished_at ?? '') - Date.parse(ended.started_at ?? '')) / 1000
  const rate = seconds > 0 ? `, ${Math.round(lines / seconds)} lines/s` : ''
  print(
    `${id} ${status}${dry_run ? ' (dry run, nothing was changed)' : ''}: ${lines} ${lines === 1 ? 'line' : 'lines'}${rate}`,
    `  created ${created}, updated ${updated}, skipped ${skipped}, failed ${failed}`,
    ...(ignored_columns.length > 0
      ? [`  ignored columns: ${plainLine(ignored_columns.join(', '), 1000)}`]
      : []),
    ...(error === null ? [] : [`  ${plainLine(error, 1000)}`]),
    ...faults.map(({ line, errors }) => {
      const reasons = errors.map(({ field, detail }) => (field === null ? detail : `${field}: ${detail}`))
      return `  line ${line}: ${plainLine(reasons.join(' '), maxFaultLength)}`
    }),
    ...(failed > faults.length ? [`  … all ${failed}: GET /v1/imports/${id}/report`] : []),
  )
}

function printNotice(line: string): void {
  process.stderr.write(`${line}\n`)
}
