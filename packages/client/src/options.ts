/** What a client and its calls can be told. */
import type { LinkServiceError } from './errors.js'

export interface ClientOptions {
  /** Before `/v1`; http://localhost:3000/api by default. Pages of the service itself may give a path. */
  baseUrl?: string | undefined
  /** Or a function that is asked before each try. Without one the browser's cookie of a session counts. */
  token?: string | (() => string | Promise<string>) | undefined
  /** For each try, from its beginning to the last byte of the answer; 30 seconds by default. */
  timeoutMs?: number | undefined
  /** After the first try; 3 by default. */
  maxRetries?: number | undefined
  /** A longer `Retry-After` is not waited for; 60 seconds by default. */
  maxRetryWaitMs?: number | undefined
  /** Is told of each pause before another try. */
  onRetry?: ((retry: Retry) => void) | undefined
  userAgent?: string | undefined
  fetch?: typeof globalThis.fetch | undefined
}

export interface Retry {
  error: LinkServiceError
  waitMs: number
  /** How many tries there were. */
  tries: number
}

export interface CallOptions {
  /** Ends the call at once; it then throws the signal's reason. */
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  maxRetries?: number | undefined
}

export interface CreateOptions extends CallOptions {
  /** Calls with the same key and body within 24 hours make one thing. Without it all tries of one call do. */
  idempotencyKey?: string | undefined
}

export interface UpdateOptions extends CallOptions {
  /** Writes only when this is still the newest version: see `etagOf`. */
  ifMatch?: string | undefined
}
