/** Responses that are not JSON: streamed files, and images. */
import { ConnectionError, toError } from './errors.js'

/** Rejects other media types, such as the HTML page of a proxy with status 200. */
export async function checkMediaType(response: Response, expected: readonly string[]): Promise<void> {
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';')
  if (expected.includes(type.trim().toLowerCase())) return
  throw toError(response.status, response.headers, await response.text())
}

/**
 * Returns the body of a response as a stream that the signal can still abort. A broken connection is an error, so that
 * an incomplete file is never mistaken for a complete one.
 */
export function toStream(response: Response, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  const reader = (response.body ?? new Blob([]).stream()).getReader()
  let onAbort: () => void
  const removeListener = () => signal?.removeEventListener('abort', onAbort)
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        onAbort = () => {
          controller.error(signal?.reason)
          // Fails if the connection broke at the same time, which leaves nothing to cancel.
          reader.cancel(signal?.reason).catch(() => undefined)
        }
        signal?.addEventListener('abort', onAbort, { once: true })
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (signal?.aborted === true) return
          if (!done) return controller.enqueue(value)
          removeListener()
          controller.close()
        } catch (error) {
          removeListener()
          signal?.throwIfAborted()
          const message = 'The connection broke before the response was complete.'
          throw new ConnectionError({ status: null, code: 'connection_failed', message, cause: error })
        }
      },
      cancel(reason) {
        removeListener()
        return reader.cancel(reason)
      },
    },
    // Read from the connection only when the caller reads.
    { highWaterMark: 0 },
  )
}
