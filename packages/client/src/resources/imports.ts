import type { List } from '../pages.js'
import type { CallOptions, CreateOptions, Transport } from '../transport.js'
import type { Import, QueryOf } from '../types.js'
import { listOf } from './list-of.js'

const types = ['text/csv', 'application/x-ndjson'] as const
type FileType = (typeof types)[number]

/** A stream is sent while it is read, and so only once; of the others a failed try is sent again. */
export type ImportFile = string | Uint8Array | Blob | ReadableStream<Uint8Array>

export interface ImportFileOptions extends CreateOptions {
  /** What is in the file; that of a Blob, else `text/csv`, by default. */
  type?: FileType | undefined
}

export class Imports {
  readonly #api: Transport

  constructor(api: Transport) {
    this.#api = api
  }

  /** Sends a file, for as long as that takes unless `timeoutMs` limits it. Then the service goes on by itself: see `get`. */
  create(
    file: ImportFile,
    query: QueryOf<'createImport'> = {},
    { type = typeOf(file), idempotencyKey, timeoutMs = Infinity, ...options }: ImportFileOptions = {},
  ): Promise<Import> {
    const headers = { 'content-type': type, 'idempotency-key': idempotencyKey }
    const raw = file as BodyInit
    return this.#api.call('createImport', { query, raw, headers }, { ...options, timeoutMs })
  }

  /** Newest first. */
  list(query: QueryOf<'listImports'> = {}, options?: CallOptions): List<Import> {
    return listOf(this.#api, 'listImports', [], query, options)
  }

  get(id: string, options?: CallOptions): Promise<Import> {
    return this.#api.call('getImport', { path: [id] }, options)
  }

  /** The lines that failed, with the reasons: one JSON object on each line, or CSV. */
  report(
    id: string,
    { type = 'application/x-ndjson', ...options }: CallOptions & { type?: FileType | undefined } = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.#api.download('getImportReport', { path: [id] }, [type], options)
  }

  /** Stops it; what is done stays. */
  cancel(id: string, options?: CallOptions): Promise<void> {
    return this.#api.call('cancelImport', { path: [id] }, options)
  }
}

function typeOf(file: ImportFile): FileType {
  const given = file instanceof Blob ? file.type.split(';')[0] : undefined
  return types.find((type) => type === given) ?? 'text/csv'
}
