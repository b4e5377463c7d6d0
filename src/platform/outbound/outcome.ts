/** The outcome of a request to a receiver: the error, and the stored part of the response. */
import { plainLine, plainText } from '../util/plain-text.js'

export const errorClasses = [
  'dns',
  'blocked_address',
  'proxy',
  'refused',
  'reset',
  'tls',
  'timeout',
  'too_large',
  'redirect',
  'http_status',
  'canceled',
  'other',
] as const

export type ErrorClass = (typeof errorClasses)[number]

/** The error class of faults of the egress proxy, which are not charged to receivers. */
export const proxyErrorClass = 'proxy' satisfies ErrorClass

/** The cause of a TLS error, which determines the advice. */
export type TlsFault =
  | 'expired'
  | 'not_yet_valid'
  | 'wrong_name'
  | 'incomplete_chain'
  | 'unknown_authority'
  | 'plain_text'
  | 'other'

/** The phases of a request in which it can fail. A complete response with an error status has no failed phase. */
export const failedPhases = ['dns', 'connect', 'tls', 'first_byte', 'body'] as const
export type FailedPhase = (typeof failedPhases)[number]

export interface OutcomeError {
  class: ErrorClass
  message: string
  /** Null if nothing was sent, or if the response was complete. */
  phase: FailedPhase | null
  /** Present only when the class is `tls`. */
  tlsFault?: TlsFault
}

/** Why an attempt failed. The message is for the operator of the receiver. */
export class Failure extends Error {
  override name = 'Failure'

  constructor(
    readonly kind: ErrorClass,
    message: string,
    readonly tlsFault?: TlsFault,
  ) {
    super(message)
  }

  toOutcomeError(phase: FailedPhase | null): OutcomeError {
    const { kind, message, tlsFault } = this
    const error = { class: kind, message, phase }
    return tlsFault === undefined ? error : { ...error, tlsFault }
  }
}

/** The progress of a connection and the request on it. */
export class ConnectProgress {
  step: FailedPhase = 'dns'
  remoteAddress: string | null = null
  /** Whether the connection was opened for this request. */
  isNew = false
  dnsMs: number | null = null
  connectMs: number | null = null
  tlsMs: number | null = null
  sentAt: number | null = null
  /** The time from sending the request to the first byte of the response. */
  firstByteMs: number | null = null

  /** `deadlineAt` is the `performance.now()` at which the request times out. */
  constructor(readonly deadlineAt: number) {}
}

/** Times in milliseconds. Null for a skipped step, such as the lookup for an open connection. */
interface Timings {
  dnsMs: number | null
  connectMs: number | null
  tlsMs: number | null
  firstByteMs: number | null
  totalMs: number
}

/** The outcome of a request to a receiver. All texts are limited in length, and safe to store and to display. */
export interface Outcome {
  startedAt: Date
  durationMs: number
  statusCode: number | null
  /** Null if the request succeeded. */
  error: OutcomeError | null
  remoteAddress: string | null
  responseHeaders: Record<string, string> | null
  responseBody: string | null
  responseTruncated: boolean
  timings: Timings
  /** The time in `Retry-After` of a 429 or 503 response. */
  retryAfter: Date | null
}

const maxHeaders = 100
const maxValueLength = 1000
const maxCharacters = 8 * 1024
const maxBodyBytes = 16 * 1024
const nothing = Buffer.alloc(0)
const maxRetryAfterMs = 24 * 60 * 60 * 1000

export type StoredHeaders = Record<string, string>

/** Reads headers from alternating names and values. Names become lower-case, and repeated headers are joined. */
export function parseHeaders(raw: readonly Buffer[]): StoredHeaders {
  // Without a prototype, because a receiver may send `constructor` or `__proto__`.
  const headers = Object.create(null) as StoredHeaders
  let [count, characters] = [0, 0]
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!.toString('latin1').toLowerCase()
    const value = plainLine(raw[i + 1]!.toString('latin1'), maxValueLength)
    const before = headers[name]
    const joined = before === undefined ? value : plainLine(`${before}, ${value}`, maxValueLength)
    characters += joined.length - (before === undefined ? -name.length : before.length)
    if (characters > maxCharacters) break
    headers[name] = joined
    if (before === undefined && ++count === maxHeaders) break
  }
  return headers
}

/** Stores the first 16 KiB of a response body. */
export class ResponseBody {
  private bytes: Buffer = nothing
  private length = 0
  private cut = false

  /** Adds a chunk. Returns false if the body was cut. */
  appendChunk(chunk: Buffer): boolean {
    const length = Math.min(chunk.length, maxBodyBytes - this.length)
    this.cut = length < chunk.length
    if (this.length === 0) this.bytes = chunk.subarray(0, length)
    else this.copyChunk(chunk, length)
    this.length += length
    return !this.cut
  }

  toText(): string {
    if (this.length === 0) return ''
    const bytes = this.bytes.subarray(0, this.length)
    // A stream decoder omits a character that was cut, instead of marking it as invalid.
    return plainText(this.cut ? new TextDecoder().decode(bytes, { stream: true }) : bytes.toString())
  }

  /** Copies the bytes, so that a body in tiny chunks does not hold a buffer for each of them. */
  private copyChunk(chunk: Buffer, length: number): void {
    const needed = this.length + length
    if (needed > this.bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.min(maxBodyBytes, needed * 2))
      this.bytes.copy(grown, 0, 0, this.length)
      this.bytes = grown
    }
    chunk.copy(this.bytes, this.length, 0, length)
  }
}

/** The three HTTP date formats (RFC 9110, 5.6.7). `Date.parse` alone would read a number as a year. */
const httpDate =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? (\d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} [\d:]{8} GMT|[A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/

/**
 * Returns the time in a `Retry-After` header, at most a day ahead. Returns null for a time in the past, and for
 * anything but seconds or a date.
 */
export function parseRetryAfter(value: string | undefined, now: Date): Date | null {
  const waitMs = parseWaitMs(value?.trim() ?? '', now.getTime())
  return waitMs > 0 ? new Date(now.getTime() + Math.min(waitMs, maxRetryAfterMs)) : null
}

function parseWaitMs(value: string, now: number): number {
  if (/^\d+$/.test(value)) return Number(value) * 1000
  if (!httpDate.test(value)) return NaN
  return Date.parse(value.endsWith('GMT') ? value : `${value} GMT`) - now
}
