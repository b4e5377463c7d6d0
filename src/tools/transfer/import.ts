/** `link-service import`: sends a file and watches the import, which continues even if the command ends. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

import type { Import, QueryOf } from '@link-service/client'

import { print, printJson } from '../../platform/command-line/output.js'
import { UsageError } from '../../platform/command-line/usage-error.js'
import { StartupError } from '../../platform/config/startup-error.js'
import { decodeId } from '../../platform/database/ids.js'
import { plainLine } from '../../platform/util/plain-text.js'
import { stopSignals } from '../listen/stopping.js'
import { withClient } from '../remote/connection.js'
import type { ApiAccess } from '../remote/connection.js'
import { PatientClient } from '../remote/patient-client.js'
import { given } from '../remote/request-fields.js'
import { inBytes, ProgressBar } from './progress-bar.js'

type ImportQuery = QueryOf<'createImport'>

export interface ImportOptions extends ApiAccess {
  format?: ImportQuery['format']
  onConflict?: ImportQuery['on_conflict']
  dryRun?: true | undefined
  /** False: webhooks receive no events of the import. */
  events: boolean
  /** The import to watch, in place of sending a file. */
  resume?: string | undefined
  json?: true | undefined
}

const triesToUpload = 3
const lookEveryMs = 500
const faultsShown = 10
const longestFault = 300
const beginningBytes = 4096

interface ReportedLine {
  line: number
  errors: { field: string | null; code: string; detail: string }[]
  content: string
}

/** Resolves with whether every line was imported. */
export async function importLinks(file: string | undefined, options: ImportOptions): Promise<boolean> {
  requireSource(file, options.resume)
  const progress = new ProgressBar()
  const { asked } = stopSignals()
  const api = new PatientClient(options, say, asked)
  let importId = options.resume ?? null
  const sending = { isDone: false }
  try {
    importId ??= (await upload(file!, options, progress, asked, () => (sending.isDone = true))).id
    const ended = await watch(api, importId, progress, asked)
    const faults = ended.failed > 0 ? await firstFaults(api, importId) : []
    if (options.json) printJson(Object.assign(ended, { faults }))
    else summarize(ended, faults)
    return ended.status === 'finished' && ended.failed === 0
  } catch (error) {
    progress.clear()
    if (!asked.aborted) throw error
    say(
      importId !== null
        ? `The import continues without this command. To watch it: link-service import --resume ${importId}`
        : sending.isDone
          ? 'Stopped after the whole file was sent: the import may have started. GET /v1/imports then lists it.'
          : 'Stopped while the file was being sent: nothing was imported.',
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

/** If the connection breaks, the client sends the file again. Its idempotency key makes sure that one import results. */
async function upload(
  path: string,
  { format, onConflict, dryRun, events, json, ...access }: ImportOptions,
  progress: ProgressBar,
  stop: AbortSignal,
  whenSent: () => void,
): Promise<Import> {
  const { size, type } = await describe(path)
  const showSent = (bytes: number) => {
    progress.show('Sending  ', bytes / Math.max(1, size), inBytes(bytes))
    if (bytes === size) whenSent()
  }
  const accepted = await withClient(access, ({ imports }) =>
    imports.create(
      () => streamOf(path, showSent),
      given({ format, on_conflict: onConflict, dry_run: dryRun, notify: events ? undefined : false }),
      { type, signal: stop, maxRetries: triesToUpload - 1 },
    ),
  ).catch((error: unknown) => {
    // The options were checked before, so the file is wrong, and not the command line.
    throw error instanceof UsageError ? new StartupError(error.message) : error
  })
  progress.clear()
  if (!json)
    say(
      `Sent ${inBytes(accepted.bytes)} as ${accepted.id} (${accepted.format}). The service now works on it by itself.`,
    )
  return accepted
}

function streamOf(path: string, onRead: (bytes: number) => void): ReadableStream<Uint8Array> {
  async function* pieces() {
    let bytes = 0
    for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
      onRead((bytes += piece.length))
      yield piece
    }
  }
  return Readable.toWeb(Readable.from(pieces(), { objectMode: false })) as ReadableStream<Uint8Array>
}

/** The size and type of a file. A JSON object begins with a brace, which the header row of a CSV file never does. */
async function describe(path: string): Promise<{ size: number; type: 'application/x-ndjson' | 'text/csv' }> {
  try {
    const { size } = await stat(path)
    let beginning = ''
    for await (const piece of createReadStream(path, { end: beginningBytes - 1, encoding: 'utf8' }))
      beginning += piece as string
    const isJson = beginning.replace(/^\ufeff?\s*/, '').startsWith('{')
    return { size, type: isJson ? 'application/x-ndjson' : 'text/csv' }
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new StartupError(
      code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read (${code}).`,
    )
  }
}

async function watch(
  api: PatientClient,
  importId: string,
  progress: ProgressBar,
  stop: AbortSignal,
): Promise<Import> {
  const began = performance.now()
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
async function firstFaults(api: PatientClient, importId: string): Promise<ReportedLine[]> {
  const report = await api.call((client, options) => client.imports.report(importId, options))
  let text = ''
  for await (const piece of Readable.from(report).setEncoding('utf8')) {
    text += piece as string
    if (text.split('\n').length > faultsShown) break
  }
  const lines = text.split('\n').slice(0, -1).slice(0, faultsShown)
  return lines.map((line) => JSON.parse(line) as ReportedLine)
}

function summarize(ended: Import, faults: ReportedLine[]): void {
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
