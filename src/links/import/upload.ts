/** Stores a body from its stream in the database, piece by piece. After a failure the caller discards the pieces. */
import { createHash } from 'node:crypto'

import { Injectable } from '@nestjs/common'

import { Problem } from '../../platform/http/problems/problem.js'
import type { StreamedBody } from '../../platform/http/input/body.js'
import { GrowingBuffer } from '../../platform/http/input/read-body.js'
import { BodiesRepository } from './bodies.repository.js'
import { chunkBytes, mostBodyBytes } from './limits.js'
import type { Container, FormatName } from '../link-fields.js'
import { layoutOf, UnreadableBody } from './parsing/layout.js'
import type { Layout } from './parsing/layout.js'

export interface Uploaded {
  bytes: number
  hash: Buffer
}

@Injectable()
export class Upload {
  constructor(private readonly bodies: BodiesRepository) {}

  /**
   * Calls `begin` with the layout as soon as it is known, and with the most bytes that the body may have. Nothing is
   * stored before.
   */
  async take(
    importId: string,
    body: StreamedBody,
    format: FormatName | undefined,
    begin: (layout: Layout, mostBytes: number) => Promise<void>,
  ): Promise<Uploaded> {
    if ((body.length ?? 0) > mostBodyBytes) throw tooLarge()
    const container: Container = body.type === 'text/csv' ? 'csv' : 'ndjson'
    const hash = createHash('sha256')
    let [bytes, number] = [0, 0]
    const held = new GrowingBuffer()
    const store = async (chunk: Buffer, isLast: boolean) => {
      if (number === 0) {
        const mostBytes = isLast ? chunk.length : (body.length ?? mostBodyBytes)
        await begin(readLayout({ bytes: chunk, isLast }, container, format), mostBytes)
      }
      if (chunk.length > 0 && !(await this.bodies.add(importId, number, chunk))) throw brokenOff()
      number += 1
    }
    for await (const piece of piecesOf(body)) {
      bytes += piece.length
      if (bytes > mostBodyBytes) throw tooLarge()
      hash.update(piece)
      held.append(piece)
      if (held.length <= chunkBytes) continue
      let rest = held.take()
      for (; rest.length > chunkBytes; rest = rest.subarray(chunkBytes))
        await store(rest.subarray(0, chunkBytes), false)
      held.append(rest)
    }
    await store(held.take(), true)
    return { bytes, hash: hash.digest() }
  }
}

async function* piecesOf({ bytes }: StreamedBody): AsyncGenerator<Buffer> {
  try {
    // Node would otherwise destroy a request that is refused before it has come whole, and take its socket away.
    for await (const piece of bytes.iterator({ destroyOnReturn: false })) yield piece as Buffer
  } catch {
    // The client has gone, and reads no answer any more.
    throw brokenOff()
  } finally {
    // The rest is read and thrown away, so that the connection can be used for the next request.
    bytes.resume()
  }
}

function readLayout(...given: Parameters<typeof layoutOf>): Layout {
  try {
    return layoutOf(...given)
  } catch (error) {
    if (!(error instanceof UnreadableBody)) throw error
    const { code, message: detail } = error
    throw new Problem('validation_failed', { detail, errors: [{ pointer: '', code, detail }] })
  }
}

function brokenOff(): Problem {
  return new Problem('bad_request', { detail: 'The upload broke off. Send the whole file again.' })
}

function tooLarge(): Problem {
  return new Problem('payload_too_large', {
    detail: `An import takes at most ${mostBodyBytes / 1024 / 1024} MiB of CSV or NDJSON, and this file has more. Split it.`,
    // The rest of the body is not read, so the connection cannot be used again.
    headers: { connection: 'close' },
  })
}
