/** Answers that are not JSON: files, which are streamed, and pictures. */
import { ConnectionError, errorOfAnswer } from './errors.js'

/** Refuses any other media type: the page of a proxy is no file of the service, even with status 200. */
export async function checkMediaType(response: Response, expected: readonly string[]): Promise<void> {
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';')
  if (expected.includes(type.trim().toLowerCase())) return
  throw errorOfAnswer(response.status, response.headers, await response.text())
}

/**
 * The bytes of an answer, which are read after its call has ended. The signal still ends them. A connection that breaks
 * is an error, so that a part is never taken for the whole.
 */
export function streamOf(response: Response, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  // An answer without a body has no stream either.
  const reader = (response.body ?? new Blob([]).stream()).getReader()
  let onAbort: () => void
  const forget = () => signal?.removeEventListener('abort', onAbort)
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        onAbort = () => {
          controller.error(signal?.reason)
          // This fails if the connection broke at the same time, and then there is nothing left to cancel.
          reader.cancel(signal?.reason).catch(() => undefined)
        }
        signal?.addEventListener('abort', onAbort, { once: true })
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (signal?.aborted === true) return
          if (!done) return controller.enqueue(value)
          forget()
          controller.close()
        } catch (error) {
          forget()
          signal?.throwIfAborted()
          const message = 'The connection broke before the whole answer had come.'
          throw new ConnectionError({ status: null, code: 'connection_failed', message, cause: error })
        }
      },
      cancel(reason) {
        forget()
        return reader.cancel(reason)
      },
    },
    // Nothing is read from the connection before the caller reads.
    { highWaterMark: 0 },
  )
}
