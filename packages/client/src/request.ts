/** Makes the HTTP request of a call, and refuses hostile ids and tokens. */
import { routes } from './generated/routes.js'
import type { OperationId } from './types.js'

/** A body that is sent as it is, or a function that opens it anew for each try. */
export type RawBody = BodyInit | (() => ReadableStream<Uint8Array>)

export interface CallInput {
  /** The parameters of the path, in their order. */
  path?: readonly string[]
  query?: object | undefined
  /** The body, which is sent as JSON. */
  body?: unknown
  /** A body that is sent as it is, in place of `body`. The headers must have its `content-type`. */
  raw?: RawBody
  headers?: Record<string, string | undefined>
}

export interface PreparedRequest {
  url: string
  method: string
  headers: Record<string, string>
  /** Returns the body of one try. */
  body: () => BodyInit | null
  /** Whether a second try can do no more than the first one. */
  isRepeatable: boolean
  /** Whether the body is sent while the caller still makes it. */
  isStream: boolean
}

const idempotencyHeader = 'idempotency-key'

/** All tries of a call send this request, so the same bytes have the same key. */
export function prepareRequest(baseUrl: string, id: OperationId, input: CallInput): PreparedRequest {
  const { method, path, takes } = routes[id] as {
    method: string
    path: string
    takes: readonly string[]
  }
  const headers: Record<string, string> = { accept: 'application/json' }
  if (input.body !== undefined) headers['content-type'] = 'application/json'
  if (takes.includes('key')) headers[idempotencyHeader] = randomKey()
  for (const [name, value] of Object.entries(input.headers ?? {}))
    if (value !== undefined) headers[name] = value
  const body = input.raw ?? (input.body === undefined ? null : JSON.stringify(input.body))
  const isStream = typeof ReadableStream !== 'undefined' && body instanceof ReadableStream
  const isOpenedAnew = typeof body === 'function'
  return {
    url: baseUrl + fillPath(id, path, input.path ?? []) + queryText(input.query ?? {}),
    method,
    headers,
    body: isOpenedAnew ? body : () => body,
    // A stream can be read only once.
    isRepeatable: (method !== 'POST' || headers[idempotencyHeader] !== undefined) && !isStream,
    isStream: isStream || isOpenedAnew,
  }
}

function fillPath(id: OperationId, path: string, values: readonly string[]): string {
  let next = 0
  return path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = values[next++]
    // An empty value would address the whole list instead. Dots are steps in a path, even if they are escaped.
    if (typeof value !== 'string' || value === '' || value === '.' || value === '..')
      throw new TypeError(`${id} needs ${name}, a text that is not empty.`)
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

/** Takes off a slash at the end, and `/v1`, because the service prints its address with `/v1`. */
export function checkedBaseUrl(text: string): string {
  const isRelative = text.startsWith('/') && !text.startsWith('//') && typeof location !== 'undefined'
  const url = isRelative ? new URL(text, location.href) : URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new TypeError(
      'baseUrl must be a whole address, such as https://links.example/api, or in a browser a path.',
    )
  if (url.username || url.password || url.search || url.hash)
    throw new TypeError('baseUrl must have no user name, no password, no query and no fragment.')
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
}

/** Checks the token here, because the platform's own error for a wrong header would show it. */
export function checkedToken(token: string): string {
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token
  throw new TypeError('What was given as the token is not a token.')
}

/** `crypto.randomUUID` is missing on pages without https. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
