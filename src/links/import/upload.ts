/** Stores an uploaded file in chunks. After an error, the caller deletes the chunks. */
import { createHash } from 'node:crypto'

import { Injectable } from '@nestjs/common'

import { Problem } from '../../platform/http/problems/problem.js'
import type { StreamedBody } from '../../platform/http/input/body.js'
import { GrowingBuffer } from '../../platform/http/input/read-body.js'
import { BodiesRepository } from './bodies.repository.js'
import { chunkBytes, maxBodyBytes } from './limits.js'
import type { Container, FormatName } from '../link-fields.js'
import { detectLayout, UnreadableFile } from './parsing/layout.js'
import type { Layout } from './parsing/layout.js'

export interface Uploaded {
  bytes: number
  hash: Buffer
}

@Injectable()
export class UploadWriter {
  constructor(private readonly bodies: BodiesRepository) {}

  /** Stores a file. Calls `begin` with its layout and maximum size before storing the first chunk. */
  async storeBody(
    importId: string,
    body: StreamedBody,
    format: FormatName | undefined,
    begin: (layout: Layout, maxBytes: number) => Promise<void>,
  ): Promise<Uploaded> {
    const container: Container = body.type === 'text/csv' ? 'csv' : 'ndjson'
    const hash = createHash('sha256')
    let [bytes, number] = [0, 0]
    const buffer = new GrowingBuffer()
    const store = async (chunk: Buffer, isLast: boolean) => {
      if (number === 0) {
        const maxBytes = isLast ? chunk.length : (body.length ?? maxBodyBytes)
        await begin(readLayout({ bytes: chunk, isLast }, container, format), maxBytes)
      }
      if (chunk.length > 0 && !(await this.bodies.insertChunk(importId, number, chunk))) throw interrupted()
      number += 1
    }
    for await (const piece of readLimitedPieces(body)) {
      bytes += piece.length
      hash.update(piece)
      buffer.append(piece)
      if (buffer.length <= chunkBytes) continue
      let remaining = buffer.takeBytes()
      for (; remaining.length > chunkBytes; remaining = remaining.subarray(chunkBytes))
        await store(remaining.subarray(0, chunkBytes), false)
      buffer.append(remaining)
    }
    await store(buffer.takeBytes(), true)
    return { bytes, hash: hash.digest() }
  }
}

/** Returns the hash of a file that `storeBody` would return, without storing the file. */
export async function hashBody(body: StreamedBody): Promise<Buffer> {
  const hash = createHash('sha256')
  for await (const piece of readLimitedPieces(body)) hash.update(piece)
  return hash.digest()
}

/** Throws if the body is too large. */
async function* readLimitedPieces(body: StreamedBody): AsyncGenerator<Buffer> {
  if ((body.length ?? 0) > maxBodyBytes) throw tooLarge()
  let bytes = 0
  for await (const piece of receivedPieces(body)) {
    bytes += piece.length
    if (bytes > maxBodyBytes) throw tooLarge()
    yield piece
  }
}

async function* receivedPieces({ bytes }: StreamedBody): AsyncGenerator<Buffer> {
  try {
    // With the default `destroyOnReturn`, Node closes the socket when a request is rejected before its body ends.
    for await (const piece of bytes.iterator({ destroyOnReturn: false })) yield piece as Buffer
  } catch {
    throw interrupted()
  } finally {
    // Discards the remaining body, so that the connection can be reused.
    bytes.resume()
  }
}

function readLayout(...args: Parameters<typeof detectLayout>): Layout {
  try {
    return detectLayout(...args)
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    const { code, message: detail } = error
    throw new Problem('validation_failed', { detail, errors: [{ pointer: '', code, detail }] })
  }
}

function interrupted(): Problem {
  return new Problem('bad_request', { detail: 'The upload was interrupted. Send the whole file again.' })
}

function tooLarge(): Problem {
  return new Problem('payload_too_large', {
    detail: `A file can be at most ${maxBodyBytes / 1024 / 1024} MiB. Split the file into several imports.`,
    // Closes the connection instead of waiting for the remaining body, which can be large.
    headers: { connection: 'close' },
  })
}
