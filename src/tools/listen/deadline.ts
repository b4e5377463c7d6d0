/**
 * Runs work that ends with `stop`, and after a time by itself. AbortSignal.any would keep something of every request for as
 * long as `stop` lives, which is the whole run.
 */
export async function withDeadline<T>(
  ms: number,
  stop: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  stop.throwIfAborted()
  const own = new AbortController()
  const end = () => own.abort(stop.reason)
  const timer = setTimeout(() => own.abort(new DOMException('no answer in time', 'TimeoutError')), ms)
  stop.addEventListener('abort', end, { once: true })
  try {
    return await work(own.signal)
  } finally {
    clearTimeout(timer)
    stop.removeEventListener('abort', end)
  }
}
