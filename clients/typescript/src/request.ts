/** Prepares the HTTP request of a call, and rejects invalid IDs and tokens. */
import { routes } from './generated/routes.js'
import type { OperationId } from './types.js'

/** A body that is sent unchanged, or a function that opens it for each attempt. */
export type RawBody = BodyInit | (() => ReadableStream<Uint8Array>)

export interface CallInput {
  /** The path parameters, in order. */
  path?: readonly string[]
  query?: object | undefined
  /** The JSON body. */
  body?: unknown
  /** A body that is sent unchanged instead of `body`. `headers` must contain its `content-type`. */
  raw?: RawBody
  headers?: Record<string, string | undefined>
}

export interface PreparedRequest {
  url: string
  method: string
  headers: Record<string, string>
  /** Returns the body of one attempt. */
  body: () => BodyInit | null
  /** Whether a retry has no additional effect. */
  isRepeatable: boolean
  /** Whether the body can be sent again. A stream can be read only once. */
  canResend: boolean
  /** Whether `fetch` sends the body as a stream, which needs `duplex: 'half'`. */
  isStream: boolean
}

const idempotencyHeader = 'idempotency-key'

/** Prepares the request that all attempts of a call send, with one idempotency key. */
export function prepareRequest(baseUrl: string, id: OperationId, input: CallInput): PreparedRequest {
  const { method, path, takes } = findRoute(id)
  const headers: Record<string, string> = { accept: 'application/json' }
  if (input.body !== undefined) headers['content-type'] = 'application/json'
  if (takes.includes('key')) headers[idempotencyHeader] = randomKey()
  for (const [name, value] of Object.entries(input.headers ?? {}))
    if (value !== undefined) headers[name] = value
  const body = input.raw ?? (input.body === undefined ? null : JSON.stringify(input.body))
  const isStream = typeof ReadableStream !== 'undefined' && body instanceof ReadableStream
  const isFactory = typeof body === 'function'
  return {
    url: baseUrl + fillPath(id, path, input.path ?? []) + queryText(input.query ?? {}),
    method,
    headers,
    body: isFactory ? body : () => body,
    isRepeatable: method !== 'POST' || headers[idempotencyHeader] !== undefined,
    canResend: !isStream,
    isStream: isStream || isFactory,
  }
}

interface Route {
  method: string
  path: string
  takes: readonly string[]
}

/** Programs that read the OpenAPI document of a newer service may know more operations than this client. */
function findRoute(id: string): Route {
  if (!Object.hasOwn(routes, id)) throw new TypeError(`This version of the client has no operation ${id}.`)
  return routes[id as OperationId]
}

function fillPath(id: OperationId, path: string, values: readonly string[]): string {
  let next = 0
  return path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = values[next++]
    // An empty value would select the whole list. Dot segments change the path, even if they are escaped.
    if (typeof value !== 'string' || value === '' || value === '.' || value === '..')
      throw new TypeError(`${id} needs ${name} as a non-empty string.`)
    return encodeURIComponent(value)
  })
}

function queryText(query: object): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query) as [string, unknown][])
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined && each !== null)
        parameters.append(name, each instanceof Date ? each.toISOString() : String(each))
  const text = parameters.toString()
  return text && `?${text}`
}

/** Validates the base URL. Removes a trailing slash and `/v1`, because the service prints its URL with `/v1`. */
export function normalizeBaseUrl(text: string): string {
  const isRelative = text.startsWith('/') && !text.startsWith('//') && typeof location !== 'undefined'
  const url = isRelative ? new URL(text, location.href) : URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new TypeError(
      'baseUrl must be an absolute URL such as https://links.example/api, or a path in a browser.',
    )
  if (url.username || url.password || url.search || url.hash)
    throw new TypeError('baseUrl must not contain a user name, password, query or fragment.')
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
}

/** Validates the token here, because the platform's error for an invalid header would contain the token. */
export function validateToken(token: string): string {
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token
  throw new TypeError('The token is empty or contains invalid characters.')
}

/** Returns a random key. `crypto.randomUUID` is not available on pages without https. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
