/** Uploads of import files. */
import type { CreateOptions } from './options.js'
import type { RawBody } from './request.js'
import type { Transport } from './transport.js'
import type { Import, QueryOf } from './types.js'

const types = ['text/csv', 'application/x-ndjson'] as const
export type FileType = (typeof types)[number]

/** A stream can be read only once and is not retried. A function opens a new stream for each attempt. */
export type ImportFile =
  string | Uint8Array | Blob | ReadableStream<Uint8Array> | (() => ReadableStream<Uint8Array>)

export interface ImportFileOptions extends CreateOptions {
  /**
   * The media type. Defaults to the type of a Blob if it is supported, then to `application/x-ndjson` if `format` is
   * `ndjson`, then to `text/csv`.
   */
  type?: FileType | undefined
}

export const createImport =
  (api: Transport) =>
  (
    file: ImportFile,
    query: QueryOf<'createImport'> = {},
    { type = getFileType(file, query), timeoutMs = Infinity, ...options }: ImportFileOptions = {},
  ): Promise<Import> => {
    const headers = { 'content-type': type }
    return api.call('createImport', { query, raw: file as RawBody, headers }, { ...options, timeoutMs })
  }

function getFileType(file: ImportFile, { format }: QueryOf<'createImport'>): FileType {
  const blobType = file instanceof Blob ? file.type.split(';')[0] : undefined
  const formatType = format === 'ndjson' ? 'application/x-ndjson' : 'text/csv'
  return types.find((type) => type === blobType) ?? formatType
}
