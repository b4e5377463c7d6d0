/** Sends calls, retries temporary failures, and converts error responses to errors. */
import { checkMediaType, toStream } from './download.js'
import { rememberETag } from './etag.js'
import {
  ConnectionError,
  toError,
  LinkServiceError,
  NotFoundError,
  PreconditionFailedError,
  TimeoutError,
} from './errors.js'
import { apiVersion } from './generated/routes.js'
import type { CallOptions, ClientOptions, CreateOptions, UpdateOptions } from './options.js'
import { normalizeBaseUrl, prepareRequest, validateToken } from './request.js'
import type { CallInput, PreparedRequest } from './request.js'
import { maxTimerMs, pause, waitBeforeRetry } from './retry.js'
import type { RetryLimits } from './retry.js'
import type { OperationId, OptionsOf, ResultOf } from './types.js'

interface TextResponse {
  status: number
  headers: Headers
  text: string
}

const defaultBaseUrl = 'http://localhost:3000/api'
const defaultTimeoutMs = 30_000

export class Transport {
  readonly baseUrl: string
  // Private fields appear neither in util.inspect nor in JSON, so the token cannot leak there.
  readonly #token: ClientOptions['token']
  readonly #fetch: typeof globalThis.fetch
  readonly #timeoutMs: number
  readonly #limits: RetryLimits
  readonly #onRetry: ClientOptions['onRetry']
  readonly #userAgent: string

  constructor(options: ClientOptions) {
    this.baseUrl = normalizeBaseUrl(options.baseUrl ?? defaultBaseUrl)
    this.#token = typeof options.token === 'string' ? validateToken(options.token) : options.token
    this.#fetch = options.fetch ?? ((...args) => globalThis.fetch(...args))
    this.#timeoutMs = options.timeoutMs ?? defaultTimeoutMs
    this.#limits = { maxRetries: options.maxRetries ?? 3, maxRetryWaitMs: options.maxRetryWaitMs ?? 60_000 }
    this.#onRetry = options.onRetry
    this.#userAgent = options.userAgent ?? `link-service-client/${apiVersion}`
  }

  async call<Id extends OperationId>(
    id: Id,
    input: CallInput,
    options: OptionsOf<Id> = {},
  ): Promise<ResultOf<Id>> {
    const { idempotencyKey, ifMatch } = options as CreateOptions & UpdateOptions
    const optionHeaders = { 'idempotency-key': idempotencyKey, 'if-match': ifMatch }
    const inputWithHeaders = { ...input, headers: { ...optionHeaders, ...input.headers } }
    const { status, headers, text } = await this.#send(id, inputWithHeaders, options, readText)
    if (text === '') return undefined as ResultOf<Id>
    const result = parse(status, headers, text)
    rememberETag(result, headers.get('etag'))
    return result as ResultOf<Id>
  }

  /** Returns a file as a stream. The time limit and retries end with the response headers. */
  download(
    id: OperationId,
    input: CallInput,
    types: readonly string[],
    options: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.#file(id, input, types, options, (response) => toStream(response, options.signal))
  }

  /** Returns an image as a Blob. */
  image(
    id: OperationId,
    input: CallInput,
    types: readonly string[],
    options: CallOptions = {},
  ): Promise<Blob> {
    return this.#file(id, input, types, options, (response) => response.blob())
  }

  #file<T>(
    id: OperationId,
    input: CallInput,
    types: readonly string[],
    options: CallOptions,
    read: (response: Response) => T | Promise<T>,
  ): Promise<T> {
    return this.#send(
      id,
      { ...input, headers: { ...input.headers, accept: types.join(', ') } },
      options,
      async (response) => {
        await checkMediaType(response, types)
        return read(response)
      },
    )
  }

  /** Sends a request with retries. The time limit of an attempt includes `read`. */
  async #send<T>(
    id: OperationId,
    input: CallInput,
    options: CallOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const request = prepareRequest(this.baseUrl, id, input)
    const limits = { ...this.#limits, maxRetries: options.maxRetries ?? this.#limits.maxRetries }
    /** The first error of an attempt that the service may have processed. */
    let ambiguousError: LinkServiceError | null = null
    for (let tries = 1; ; tries++) {
      try {
        return await this.#try(request, options, read, ambiguousError !== null)
      } catch (error) {
        if (!(error instanceof LinkServiceError)) throw error
        // The conflicting change may be this call's own earlier attempt.
        if (ambiguousError !== null && error instanceof PreconditionFailedError) throw ambiguousError
        const waitMs = request.canResend ? waitBeforeRetry(error, tries, request.isRepeatable, limits) : null
        if (waitMs === null) throw error
        if (error.status !== 429) ambiguousError ??= error
        this.#onRetry?.({ error, waitMs, tries })
        await pause(waitMs, options.signal)
      }
    }
  }

  async #try<T>(
    { url, method, headers, body, isStream }: PreparedRequest,
    { signal, timeoutMs = this.#timeoutMs }: CallOptions,
    read: (response: Response) => Promise<T>,
    mayBeProcessed: boolean,
  ): Promise<T> {
    const token = typeof this.#token === 'function' ? validateToken(await this.#token()) : this.#token
    return withDeadline(this.baseUrl, timeoutMs, signal, async (ended) => {
      const response = await this.#fetch(url, {
        method,
        headers: {
          'user-agent': this.#userAgent,
          ...headers,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: body(),
        signal: ended,
        // The API never redirects. Do not send the token to another server.
        redirect: 'manual',
        ...(isStream ? { duplex: 'half' } : {}),
      })
      if (response.ok) return read(response)
      const error = toError(response.status, response.headers, await response.text())
      // An earlier attempt deleted the object, but its response was lost.
      const isDeleted = method === 'DELETE' && mayBeProcessed && isGone(url, error)
      if (!isDeleted) throw error
      return read(new Response(null, { status: 204 }))
    })
  }
}

/** Returns whether the object of a deletion is gone. A token that revoked itself gets `token_revoked`. */
function isGone(url: string, error: LinkServiceError): boolean {
  const isOwnToken = url.endsWith('/v1/auth/token/self')
  return error instanceof NotFoundError || (isOwnToken && error.code === 'token_revoked')
}

async function readText(response: Response): Promise<TextResponse> {
  return { status: response.status, headers: response.headers, text: await response.text() }
}

function parse(status: number, headers: Headers, text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Handled by the error below.
  }
  throw toError(status, headers, text)
}

/** Runs `work` with a time limit. AbortSignal.any is not used: it holds memory as long as the caller's signal lives. */
async function withDeadline<T>(
  baseUrl: string,
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const onAbort = () => controller.abort()
  const timeoutError = new DOMException(`No response within ${ms} ms.`, 'TimeoutError')
  const timer = setTimeout(() => controller.abort(timeoutError), Math.min(ms, maxTimerMs))
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await work(controller.signal)
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof LinkServiceError) throw error
    if (controller.signal.reason === timeoutError)
      throw new TimeoutError({ status: null, code: 'timeout', message: timeoutError.message, cause: error })
    const message = `The service at ${baseUrl} could not be reached.`
    throw new ConnectionError({ status: null, code: 'connection_failed', message, cause: error })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}
