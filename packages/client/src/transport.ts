/** Sends calls: retries temporary failures, and turns every refusal into an error of its class. */
import { checkMediaType, streamOf } from './download.js'
import { rememberETag } from './etag.js'
import {
  ConnectionError,
  errorOfAnswer,
  LinkServiceError,
  NotFoundError,
  PreconditionFailedError,
  TimeoutError,
} from './errors.js'
import { apiVersion } from './generated/routes.js'
import type { CallOptions, ClientOptions, CreateOptions, UpdateOptions } from './options.js'
import { checkedBaseUrl, checkedToken, prepareRequest } from './request.js'
import type { CallInput, PreparedRequest } from './request.js'
import { longestTimerMs, pause, waitBeforeRetry } from './retry.js'
import type { RetryLimits } from './retry.js'
import type { OperationId, OptionsOf, ResultOf } from './types.js'

interface Answer {
  status: number
  headers: Headers
  text: string
}

const defaultBaseUrl = 'http://localhost:3000/api'
const defaultTimeoutMs = 30_000

export class Transport {
  readonly baseUrl: string
  // Private fields show up in no inspection and in no JSON, so the token cannot leak there.
  readonly #token: ClientOptions['token']
  readonly #fetch: typeof globalThis.fetch
  readonly #timeoutMs: number
  readonly #limits: RetryLimits
  readonly #onRetry: ClientOptions['onRetry']
  readonly #userAgent: string

  constructor(options: ClientOptions) {
    this.baseUrl = checkedBaseUrl(options.baseUrl ?? defaultBaseUrl)
    this.#token = typeof options.token === 'string' ? checkedToken(options.token) : options.token
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
    const given = { 'idempotency-key': idempotencyKey, 'if-match': ifMatch }
    const whole = { ...input, headers: { ...given, ...input.headers } }
    const { status, headers, text } = await this.#send(id, whole, options, readText)
    if (text === '') return undefined as ResultOf<Id>
    const result = parse(status, headers, text)
    rememberETag(result, headers.get('etag'))
    return result as ResultOf<Id>
  }

  /** Resolves with a file as a stream. The time limit and the retries end with the head of the answer. */
  download(
    id: OperationId,
    input: CallInput,
    types: readonly string[],
    options: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.#file(id, input, types, options, (response) => streamOf(response, options.signal))
  }

  /** Resolves with a whole picture. */
  picture(
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

  /** `read` must take the answer within the time limit of its try. */
  async #send<T>(
    id: OperationId,
    input: CallInput,
    options: CallOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const request = prepareRequest(this.baseUrl, id, input)
    const limits = { ...this.#limits, maxRetries: options.maxRetries ?? this.#limits.maxRetries }
    /** The error of a try that may have arrived all the same. */
    let unanswered: LinkServiceError | null = null
    for (let tries = 1; ; tries++) {
      try {
        return await this.#try(request, options, read, unanswered !== null)
      } catch (error) {
        if (!(error instanceof LinkServiceError)) throw error
        // Who has changed the object meanwhile may have been this call itself.
        if (unanswered !== null && error instanceof PreconditionFailedError) throw unanswered
        const waitMs = waitBeforeRetry(error, tries, request.isRepeatable, limits)
        if (waitMs === null) throw error
        if (error.status !== 429) unanswered ??= error
        this.#onRetry?.({ error, waitMs, tries })
        await pause(waitMs, options.signal)
      }
    }
  }

  async #try<T>(
    { url, method, headers, body, isStream }: PreparedRequest,
    { signal, timeoutMs = this.#timeoutMs }: CallOptions,
    read: (response: Response) => Promise<T>,
    mayHaveArrived: boolean,
  ): Promise<T> {
    const token = typeof this.#token === 'function' ? checkedToken(await this.#token()) : this.#token
    return withDeadline(timeoutMs, signal, async (ended) => {
      const response = await this.#fetch(url, {
        method,
        headers: {
          'user-agent': this.#userAgent,
          ...headers,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: body(),
        signal: ended,
        // The API never redirects. So a redirect comes from something else, which must not get the token.
        redirect: 'manual',
        ...(isStream ? { duplex: 'half' } : {}),
      })
      if (response.ok) return read(response)
      const error = errorOfAnswer(response.status, response.headers, await response.text())
      // An earlier try of the deletion has succeeded, and only its answer was lost.
      const isDone = method === 'DELETE' && mayHaveArrived && error instanceof NotFoundError
      if (!isDone) throw error
      return read(new Response(null, { status: 204 }))
    })
  }
}

async function readText(response: Response): Promise<Answer> {
  return { status: response.status, headers: response.headers, text: await response.text() }
}

function parse(status: number, headers: Headers, text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // The error below says so.
  }
  throw errorOfAnswer(status, headers, text)
}

/** AbortSignal.any is not used here: it keeps memory of every call for as long as the caller's signal lives. */
async function withDeadline<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const own = new AbortController()
  const onAbort = () => own.abort()
  const late = new DOMException(`No answer within ${ms} ms.`, 'TimeoutError')
  const timer = setTimeout(() => own.abort(late), Math.min(ms, longestTimerMs))
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await work(own.signal)
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof LinkServiceError) throw error
    const isLate = own.signal.reason === late
    if (isLate) throw new TimeoutError({ status: null, code: 'timeout', message: late.message, cause: error })
    const message = 'The service could not be reached.'
    throw new ConnectionError({ status: null, code: 'connection_failed', message, cause: error })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}
