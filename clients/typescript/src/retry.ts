/** Decides which failures are temporary and how long to wait before a retry. */
import { ConnectionError } from './errors.js'
import type { LinkServiceError } from './errors.js'

export interface RetryLimits {
  /** With Infinity, a Retry-After of any length is accepted. */
  maxRetries: number
  /** The longest accepted Retry-After. A longer one is an error. */
  maxRetryWaitMs: number
}

const firstBackoffMs = 250
const maxBackoffMs = 8_000
/** The maximum of setTimeout. A longer delay fires immediately. */
export const maxTimerMs = 2 ** 31 - 1
const temporaryStatuses = new Set([408, 425])

/** Returns the delay before a retry, or null if a retry is useless, unsafe or over the limit. */
export function waitBeforeRetry(
  error: LinkServiceError,
  tries: number,
  isRepeatable: boolean,
  { maxRetries, maxRetryWaitMs }: RetryLimits,
): number | null {
  if (tries > maxRetries || !mayRetry(error, isRepeatable)) return null
  const backoff = Math.min(maxBackoffMs, firstBackoffMs * 2 ** Math.min(tries - 1, 10))
  const retryAfterMs = error.retryAfterMs ?? 0
  if (retryAfterMs > maxRetryWaitMs && maxRetries !== Infinity) return null
  // Random jitter, so that clients which failed together do not retry together.
  const waitMs = Math.max(backoff * (0.5 + Math.random() / 2), retryAfterMs * (1 + Math.random() / 10))
  return Math.min(waitMs, maxTimerMs)
}

function mayRetry(error: LinkServiceError, isRepeatable: boolean): boolean {
  const { status, code } = error
  // A rate-limited call was not processed, so any call can be retried.
  if (status === 429) return true
  if (!isRepeatable) return false
  if (code === 'idempotency_in_progress') return true
  return status === null ? error instanceof ConnectionError : status >= 500 || temporaryStatuses.has(status)
}

/** Resolves after `ms`, or rejects with the signal's reason when the signal aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error)
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
