/** The calls that stream files. Small calls go through ApiClient. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'

import { request } from 'undici'

import type { ImportDto } from '../../links/import/import.dto.js'
import { StartupError } from '../../platform/config/startup-error.js'
import { version } from '../../platform/util/version.js'
import { plainLine } from '../../platform/util/plain-text.js'
import { explainNetworkError, notTheApi, tokenRefused } from '../failed-calls.js'
import type { ApiAccess } from './transfer-plan.js'

const triesToUpload = 3
const beginningBytes = 4096

export interface UploadRequest {
  path: string
  query: string
  /** The service takes one upload for each key, however often it is sent. */
  idempotencyKey: string
  onSent: (bytes: number, of: number) => void
}

export class TransferApi {
  constructor(
    private readonly access: ApiAccess,
    private readonly stop: AbortSignal,
  ) {}

  /** Sends the file again if the connection breaks. The key makes that safe if the service had taken it already. */
  async upload(upload: UploadRequest): Promise<ImportDto> {
    const { size, type } = await describe(upload.path)
    const headers = { 'content-type': type, 'content-length': String(size) }
    for (let tries = 1; ; tries++) {
      const file = Readable.from(counted(upload, size), { objectMode: false })
      try {
        const sending = () => this.send(upload, file, headers)
        return await (tries < triesToUpload ? sending() : this.ask(new URL(this.access.api), sending))
      } catch (error) {
        if (error instanceof StartupError || this.stop.aborted) throw error
      } finally {
        file.destroy()
      }
    }
  }

  /** Resolves with the body of the answer as a stream. */
  async download(path: string, accept: string): Promise<Readable> {
    const url = new URL(this.access.api + path)
    const { statusCode, body } = await this.ask(url, () =>
      request(url, { headers: { ...this.headers, accept }, signal: this.stop, bodyTimeout: 0 }),
    )
    if (statusCode !== 200) throw refusal(url, statusCode, await body.text())
    return body
  }

  private async send(
    { query, idempotencyKey }: UploadRequest,
    file: Readable,
    headers: object,
  ): Promise<ImportDto> {
    const url = new URL(`${this.access.api}/v1/imports${query && `?${query}`}`)
    const { statusCode, body } = await request(url, {
      method: 'POST',
      headers: { ...this.headers, ...headers, 'idempotency-key': idempotencyKey },
      body: file,
      signal: this.stop,
    })
    const text = await body.text()
    if (statusCode !== 202) throw refusal(url, statusCode, text)
    return JSON.parse(text) as ImportDto
  }

  private async ask<T>(url: URL, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      this.stop.throwIfAborted()
      if (error instanceof StartupError) throw error
      throw new StartupError(`${url.origin} did not answer: ${explainNetworkError(error as Error, url)}.`)
    }
  }

  private get headers() {
    return {
      authorization: `Bearer ${this.access.token}`,
      'user-agent': `link-service-transfer/${version}`,
    }
  }
}

/** Counts bytes as they are sent. A listener would start the file before the connection, and lose its beginning. */
async function* counted({ path, onSent }: UploadRequest, size: number): AsyncGenerator<Buffer> {
  let sent = 0
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    onSent((sent += piece.length), size)
    yield piece
  }
}

function refusal(url: URL, status: number, text: string): StartupError {
  const detail = detailIn(text)
  if (detail === null) return new StartupError(notTheApi(url.origin + url.pathname, status, '--url'))
  if (status === 401) return new StartupError(tokenRefused(detail))
  return new StartupError(detail)
}

function detailIn(text: string): string | null {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown }
    return typeof detail === 'string' ? plainLine(detail, 1000) : null
  } catch {
    return null
  }
}

/** The size and type of a file. A JSON object begins with a brace, which the header of a CSV file never does. */
async function describe(path: string): Promise<{ size: number; type: string }> {
  let file: FileHandle | null = null
  try {
    file = await open(path)
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read(Buffer.alloc(beginningBytes), 0, beginningBytes, 0)
    const isJson = buffer
      .toString('utf8', 0, bytesRead)
      .replace(/^\ufeff?\s*/, '')
      .startsWith('{')
    return { size, type: isJson ? 'application/x-ndjson' : 'text/csv' }
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new StartupError(
      code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read (${code}).`,
    )
  } finally {
    await file?.close()
  }
}
