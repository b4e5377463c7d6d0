/** Tells which failures are temporary, and how long to wait before the next try. */
import { ConnectionError } from './errors.js'
import type { LinkServiceError } from './errors.js'

export interface RetryLimits {
  /** With Infinity, a Retry-After of any length is waited for. */
  maxRetries: number
  /** A call that gets a longer Retry-After fails with the error of that answer. */
  maxRetryWaitMs: number
}

const firstWaitMs = 250
const longestBackoffMs = 8_000
/** A timer that is set for longer fires at once. */
export const longestTimerMs = 2 ** 31 - 1
const passing = new Set([408, 425])

/** Null if a retry cannot help, could do something twice, or has been tried often enough. */
export function waitBeforeRetry(
  error: LinkServiceError,
  tries: number,
  isRepeatable: boolean,
  { maxRetries, maxRetryWaitMs }: RetryLimits,
): number | null {
  if (tries > maxRetries || !mayRetry(error, isRepeatable)) return null
  const backoff = Math.min(longestBackoffMs, firstWaitMs * 2 ** Math.min(tries - 1, 10))
  const askedMs = error.retryAfterMs ?? 0
  if (askedMs > maxRetryWaitMs && maxRetries !== Infinity) return null
  // The wait is partly random, so that clients which failed together do not come back together.
  const waitMs = Math.max(backoff * (0.5 + Math.random() / 2), askedMs * (1 + Math.random() / 10))
  return Math.min(waitMs, longestTimerMs)
}

function mayRetry(error: LinkServiceError, isRepeatable: boolean): boolean {
  const { status, code } = error
  // A call that the rate limit refused was not carried out, so any call may be repeated.
  if (status === 429) return true
  if (!isRepeatable) return false
  if (code === 'idempotency_in_progress') return true
  return status === null ? error instanceof ConnectionError : status >= 500 || passing.has(status)
}

/** Waits, and rejects with the signal's reason as soon as the signal is aborted. */
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
