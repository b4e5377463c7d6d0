/** How a request to a receiver went: why it failed, and what is kept of the answer. */
import { plainLine, plainText } from '../util/plain-text.js'
import { STATUS_CODES } from 'node:http'

export const errorClasses = [
  'dns',
  'blocked_address',
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

/** The fault of a secure connection, by which programs choose their advice. */
export type TlsFault =
  | 'expired'
  | 'not_yet_valid'
  | 'wrong_name'
  | 'incomplete_chain'
  | 'unknown_authority'
  | 'plain_text'
  | 'other'

export interface OutcomeError {
  class: ErrorClass
  message: string
  /** Present only when the class is `tls`. */
  tlsFault?: TlsFault
}

/** Why an attempt failed, in a sentence for the person whose receiver it is. */
export class Failure extends Error {
  override name = 'Failure'

  constructor(
    readonly kind: ErrorClass,
    message: string,
    readonly tlsFault?: TlsFault,
  ) {
    super(message)
  }

  asOutcome(): OutcomeError {
    const { kind, message, tlsFault } = this
    return tlsFault === undefined ? { class: kind, message } : { class: kind, message, tlsFault }
  }
}

/** How far one connection and the request on it have come. */
export class ConnectProgress {
  step: 'name' | 'connection' | 'handshake' | 'answer' | 'body' = 'name'
  remoteAddress: string | null = null
  /** Whether the connection was made for this request. */
  fresh = false
  dnsMs: number | null = null
  connectMs: number | null = null
  tlsMs: number | null = null
  sentAt: number | null = null
  /** The time from the sending of the request to the first byte of the answer. */
  firstByteMs: number | null = null
}

/** Times in milliseconds. A step that did not happen is null, such as the look-up for an open connection. */
interface Timings {
  dnsMs: number | null
  connectMs: number | null
  tlsMs: number | null
  firstByteMs: number | null
  totalMs: number
}

/** How one request to a receiver went. All texts in it are cut, and safe to store and to show. */
export interface Outcome {
  startedAt: Date
  durationMs: number
  statusCode: number | null
  /** Null exactly when it was a success. */
  error: OutcomeError | null
  remoteAddress: string | null
  responseHeaders: Record<string, string> | null
  responseBody: string | null
  responseTruncated: boolean
  timings: Timings
  /** From `Retry-After` of a 429 or 503: when the receiver wants to be asked again. */
  retryAfter: Date | null
}

const mostHeaders = 100
const longestValue = 1000
const mostCharacters = 8 * 1024
const mostBodyBytes = 16 * 1024
const nothing = Buffer.alloc(0)
const longestRetryAfterMs = 24 * 60 * 60 * 1000

export type KeptHeaders = Record<string, string>

/** Reads the headers from a list of names and values in turn. Names become lower-case, and repeated ones are joined. */
export function keptHeaders(raw: readonly Buffer[]): KeptHeaders {
  // The object has no prototype, because a receiver may send `constructor` or `__proto__`.
  const kept = Object.create(null) as KeptHeaders
  let [count, characters] = [0, 0]
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!.toString('latin1').toLowerCase()
    const value = plainLine(raw[i + 1]!.toString('latin1'), longestValue)
    const before = kept[name]
    const joined = before === undefined ? value : plainLine(`${before}, ${value}`, longestValue)
    characters += joined.length - (before === undefined ? -name.length : before.length)
    if (characters > mostCharacters) break
    kept[name] = joined
    if (before === undefined && ++count === mostHeaders) break
  }
  return kept
}

/** Why a status is a failure; null for success, which is 2xx and nothing else. */
export function explainStatus(status: number, headers: KeptHeaders): Failure | null {
  if (status >= 200 && status < 300) return null
  const answered = `The receiver answered ${[status, STATUS_CODES[status]].filter(Boolean).join(' ')}`
  if (status < 300 || status >= 400) return new Failure('http_status', `${answered}.`)
  const location = plainLine(headers['location'] ?? '', 200)
  return new Failure(
    'redirect',
    location
      ? `${answered} and points to ${location}; redirects are not followed.`
      : `${answered}; redirects are not followed.`,
  )
}

/** The part of an answer's body that is kept: its beginning. */
export class ResponseBody {
  private bytes: Buffer = nothing
  private length = 0
  private cut = false

  /** False when there was more than is kept. */
  add(chunk: Buffer): boolean {
    const kept = Math.min(chunk.length, mostBodyBytes - this.length)
    this.cut = kept < chunk.length
    if (this.length === 0) this.bytes = chunk.subarray(0, kept)
    else this.append(chunk, kept)
    this.length += kept
    return !this.cut
  }

  text(): string {
    if (this.length === 0) return ''
    const kept = this.bytes.subarray(0, this.length)
    // A stream decoder leaves out a character that the cut went through, instead of marking it as broken.
    return plainText(this.cut ? new TextDecoder().decode(kept, { stream: true }) : kept.toString())
  }

  /** Copies the bytes, so that a body that comes byte by byte does not keep a buffer alive for each byte. */
  private append(chunk: Buffer, kept: number): void {
    const needed = this.length + kept
    if (needed > this.bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.min(mostBodyBytes, needed * 2))
      this.bytes.copy(grown, 0, 0, this.length)
      this.bytes = grown
    }
    chunk.copy(this.bytes, this.length, 0, kept)
  }
}

/** The three forms of a date in HTTP (RFC 9110, 5.6.7). `Date.parse` alone would take a lone number for a year. */
const httpDate =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? (\d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} [\d:]{8} GMT|[A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/

/**
 * The time at which a `Retry-After` asks for the next call, at most a day ahead. Null for a time in the past, and for a
 * text that is neither seconds nor a date.
 */
export function retryAfter(value: string | undefined, now: Date): Date | null {
  const waitMs = waitOf(value?.trim() ?? '', now.getTime())
  return waitMs > 0 ? new Date(now.getTime() + Math.min(waitMs, longestRetryAfterMs)) : null
}

function waitOf(value: string, now: number): number {
  if (/^\d+$/.test(value)) return Number(value) * 1000
  if (!httpDate.test(value)) return NaN
  return Date.parse(value.endsWith('GMT') ? value : `${value} GMT`) - now
}
