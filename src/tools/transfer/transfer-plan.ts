/** What a run of `import` or `export` is to do, read from the words of the command. */
import { UsageError } from '../../platform/command-line/usage-error.js'
import { decodeId } from '../../platform/database/ids.js'
import { conflictModes, containers, formatNames } from '../../links/link-fields.js'
import { apiAt, requireToken } from '../remote/connection.js'

interface TransferOptions {
  url: string
  format?: string | undefined
  json?: boolean | undefined
}

export interface ImportOptions extends TransferOptions {
  'on-conflict'?: string | undefined
  'dry-run'?: boolean | undefined
  'no-events'?: boolean | undefined
  resume?: string | undefined
}

/** The address of the API, and the token of the caller. */
export interface ApiAccess {
  /** The address of the API, without `/v1`. */
  api: string
  token: string
}

export interface ImportPlan extends ApiAccess {
  /** A file to send, or an import to watch. */
  source: { file: string } | { importId: string }
  /** The query string of the call. */
  query: string
  json: boolean
}

export interface ExportPlan extends ApiAccess {
  query: string
}

export function readImportPlan(
  file: string | undefined,
  options: ImportOptions,
  token: string | undefined,
): ImportPlan {
  return {
    ...accessOf('import', options, token),
    source: sourceOf(file, options),
    query: new URLSearchParams({
      ...optional('format', options.format, formatNames),
      ...optional('on_conflict', options['on-conflict'], conflictModes),
      ...(options['dry-run'] ? { dry_run: 'true' } : {}),
      ...(options['no-events'] ? { notify: 'false' } : {}),
    }).toString(),
    json: options.json ?? false,
  }
}

export function readExportPlan(options: TransferOptions, token: string | undefined): ExportPlan {
  return {
    ...accessOf('export', options, token),
    query: new URLSearchParams(optional('format', options.format, containers)).toString(),
  }
}

function accessOf(command: string, { url }: TransferOptions, token: string | undefined): ApiAccess {
  return { token: requireToken(command, token), api: apiAt(url, '--url') }
}

function sourceOf(file: string | undefined, { resume, ...others }: ImportOptions): ImportPlan['source'] {
  if (resume === undefined) {
    if (file === undefined) throw new UsageError('import needs a file, or --resume with the id of an import.')
    return { file }
  }
  const foreign = (['format', 'on-conflict', 'dry-run', 'no-events'] as const).find((name) => others[name])
  if (file !== undefined || foreign !== undefined)
    throw new UsageError(
      `--resume watches an import that was sent before, and takes no ${foreign === undefined ? 'file' : `--${foreign}`}.`,
    )
  if (!decodeId('imp', resume))
    throw new UsageError('--resume takes the id of an import, which begins with imp_.')
  return { importId: resume }
}

function optional(name: string, value: string | undefined, known: readonly string[]): Record<string, string> {
  if (value === undefined) return {}
  if (known.includes(value)) return { [name]: value }
  throw new UsageError(`--${name.replace('_', '-')} takes one of ${known.join(', ')}.`)
}
