/** Options of the client and its calls. */
import type { LinkServiceError } from './errors.js'

export interface ClientOptions {
  /** The URL without `/v1`; http://localhost:3000/api by default. In a browser, a path such as /dashboard/api. */
  baseUrl?: string | undefined
  /** The token, or a function that is called before each attempt. Without it, browsers send the session cookie. */
  token?: string | (() => string | Promise<string>) | undefined
  /** The time limit of each attempt, including the response body; 30 seconds by default. */
  timeoutMs?: number | undefined
  /** The maximum number of retries; 3 by default. */
  maxRetries?: number | undefined
  /** The longest accepted `Retry-After`; 60 seconds by default. */
  maxRetryWaitMs?: number | undefined
  /** Called before the delay of each retry. */
  onRetry?: ((retry: Retry) => void) | undefined
  userAgent?: string | undefined
  fetch?: typeof globalThis.fetch | undefined
}

export interface Retry {
  error: LinkServiceError
  waitMs: number
  /** The number of attempts so far. */
  tries: number
}

export interface CallOptions {
  /** Cancels the call, which then throws the signal's reason. `follow` and `live` end without an error instead. */
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  maxRetries?: number | undefined
}

export interface CreateOptions extends CallOptions {
  /** Calls with the same key and body within 24 hours have one effect. By default, each call gets a new key. */
  idempotencyKey?: string | undefined
}

export interface UpdateOptions extends CallOptions {
  /** Rejects the call with 412 unless this is the current version. See `etagOf`. */
  ifMatch?: string | undefined
}
