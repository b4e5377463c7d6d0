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

/** In milliseconds; null for what did not happen, as the look-up on a connection that was open already. */
interface Timings {
  dnsMs: number | null
  connectMs: number | null
  tlsMs: number | null
  firstByteMs: number | null
  totalMs: number
}

/** How one request to a receiver went. Everything in it is cut, and safe to store and to show. */
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
