/** Reads a body into a buffer, within limits of size and time. */
import type { Readable } from 'node:stream'

import { Problem } from '../problems/problem.js'

/** Copies chunks as they arrive: a separate chunk of one byte would use hundreds of bytes. */
export class GrowingBuffer {
  private bytes: Buffer = Buffer.alloc(0)
  private used = 0

  get length(): number {
    return this.used
  }

  append(chunk: Buffer): void {
    const needed = this.used + chunk.length
    if (needed > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.bytes.length))
      this.bytes.copy(larger, 0, 0, this.used)
      this.bytes = larger
    }
    chunk.copy(this.bytes, this.used)
    this.used = needed
  }

  /** Returns all bytes and empties the buffer. */
  takeBytes(): Buffer {
    const taken = this.bytes.subarray(0, this.used)
    this.bytes = Buffer.alloc(0)
    this.used = 0
    return taken
  }
}

export interface BodyLimits {
  maxBytes: number
  /** Time limit for the whole body. Absent: the body must arrive at the minimum rate. */
  withinMs?: number | undefined
}

/** After this time, a body must have arrived at the minimum rate. */
const rateCheckDelayMs = 30_000
const minBytesPerSecond = 1024
const rateCheckIntervalMs = 1_000

/** Reads the whole body. Rejects with `tooLarge()` if it is too large, and with a Problem if it is too slow. */
export function readBody(
  stream: Readable,
  { maxBytes, withinMs }: BodyLimits,
  tooLarge: () => Error,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const body = new GrowingBuffer()
    const startedAt = performance.now()
    // After a failure, the stream keeps flowing, and the rest of the body is discarded.
    const settle = () => {
      clearTimeout(timer)
      stream.off('data', onData).off('end', onEnd).off('error', onError)
    }
    const fail = (error: Error) => {
      settle()
      reject(error)
    }
    const onData = (chunk: Buffer) => {
      body.append(chunk)
      if (body.length > maxBytes) fail(tooLarge())
    }
    const onEnd = () => {
      settle()
      resolve(body.takeBytes())
    }
    const onError = (error: Error) => fail(error)
    const checkRate = () => {
      const seconds = (performance.now() - startedAt) / 1000
      if (withinMs !== undefined)
        return fail(createTooSlowProblem(`Send the whole body within ${withinMs / 1000} s.`))
      if (body.length < seconds * minBytesPerSecond)
        return fail(createTooSlowProblem('Send at least 1 KiB of the body per second.'))
      timer = setTimeout(checkRate, rateCheckIntervalMs)
    }
    let timer = setTimeout(checkRate, withinMs ?? rateCheckDelayMs)
    stream.on('data', onData).on('end', onEnd).on('error', onError)
  })
}

function createTooSlowProblem(detail: string): Problem {
  return new Problem('request_timeout', { detail })
}
