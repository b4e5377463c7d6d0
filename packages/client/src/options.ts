/** The options of a client and of its calls. */
import type { LinkServiceError } from './errors.js'

export interface ClientOptions {
  /** The address without `/v1`; http://localhost:3000/api by default. Pages of the service itself may give a path. */
  baseUrl?: string | undefined
  /** The token, or a function that is called before each try. Without it, the browser's session cookie counts. */
  token?: string | (() => string | Promise<string>) | undefined
  /** The time limit of each try, up to the last byte of the answer; 30 seconds by default. */
  timeoutMs?: number | undefined
  /** How many tries may follow the first one; 3 by default. */
  maxRetries?: number | undefined
  /** The longest `Retry-After` that is waited for; 60 seconds by default. */
  maxRetryWaitMs?: number | undefined
  /** Is called before each pause that precedes another try. */
  onRetry?: ((retry: Retry) => void) | undefined
  userAgent?: string | undefined
  fetch?: typeof globalThis.fetch | undefined
}

export interface Retry {
  error: LinkServiceError
  waitMs: number
  /** How many tries there were so far. */
  tries: number
}

export interface CallOptions {
  /** Ends the call at once; it then throws the signal's reason. */
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  maxRetries?: number | undefined
}

export interface CreateOptions extends CallOptions {
  /** Calls with the same key and body within 24 hours make one thing. By default each call has a key of its own. */
  idempotencyKey?: string | undefined
}

export interface UpdateOptions extends CallOptions {
  /** The call writes only if this is still the newest version (see `etagOf`). */
  ifMatch?: string | undefined
}
