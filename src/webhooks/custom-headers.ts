/** Rules of custom headers: which names and values callers may set, and how a change is merged. */
import type { FieldErrorCode } from '../field-errors.js'
import { isJsonObject } from '../platform/http/input/strict-json.js'
import type { InputError } from '../platform/http/problems/problem.js'
import type { Outcome } from '../platform/outbound/outcome.js'

/** Names in lower case, and values. */
export type CustomHeaders = ReadonlyMap<string, string>

/** A merge patch: null removes a header, or all headers. */
export type HeadersPatch = Readonly<Record<string, string | null>> | null

/** Mask of a stored value. It contains a non-ASCII character, so no valid value equals it. */
export const headerMask = '…'
export const maxCustomHeaders = 10
const maxNameLength = 128
export const maxHeaderValueLength = 4096
/** Many servers accept at most 8 KiB of headers per request, or 16 KiB with those of the service. */
const maxTotalLength = 8192

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const visibleAscii = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

const describesBody = 'it describes the body, which the service creates'
const describesConnection = 'it belongs to the connection, not to the request'
const tracesRequest = 'it identifies a trace, and the same value would join all requests in one trace'

/** Reserved names, with the reason. */
const reservedNames: ReadonlyMap<string, string> = new Map([
  ['accept-encoding', 'the service reads only uncompressed responses'],
  ['connection', describesConnection],
  ['content-encoding', describesBody],
  ['content-length', describesBody],
  ['content-type', describesBody],
  ['date', 'it changes with every request'],
  ['expect', 'the service sends the body without waiting'],
  ['host', 'it is derived from the URL'],
  ['http2-settings', describesConnection],
  ['keep-alive', describesConnection],
  ['te', describesConnection],
  ['traceparent', tracesRequest],
  ['tracestate', tracesRequest],
  ['trailer', describesConnection],
  ['transfer-encoding', describesConnection],
  ['upgrade', describesConnection],
  ['user-agent', 'it identifies the service'],
])

/** Reserved prefixes of names, with the reason. */
const reservedPrefixes: readonly (readonly [string, string])[] = [
  ['proxy-', describesConnection],
  ['webhook-', 'receivers verify the webhook-* headers of the service'],
]

/** Returns the errors of custom headers in a request body. The limits of all headers are checked after the merge. */
export function findHeaderErrors(headers: unknown): InputError[] {
  if (!isJsonObject(headers)) return []
  const seen = new Set<string>()
  return Object.entries(headers).flatMap(([name, value]) => {
    const key = name.toLowerCase()
    const fault = seen.has(key)
      ? fail('duplicate', 'This header is set twice. Names are not case-sensitive.')
      : (findNameFault(name) ?? (value === null ? null : findValueFault(value)))
    seen.add(key)
    return fault ? [{ pointer: pointerToHeader(name), ...fault }] : []
  })
}

/** Applies a merge patch (RFC 7396) with valid members. */
export function mergeHeaders(stored: CustomHeaders, patch: HeadersPatch): CustomHeaders {
  const merged = new Map(patch === null ? [] : stored)
  for (const [name, value] of Object.entries(patch ?? {})) {
    if (value === null) merged.delete(name.toLowerCase())
    else merged.set(name.toLowerCase(), value)
  }
  return merged
}

/** Returns the error of headers that exceed a limit together, or null. */
export function findLimitError(headers: CustomHeaders): InputError | null {
  const pointer = '/headers'
  if (headers.size > maxCustomHeaders)
    return {
      pointer,
      ...fail('too_many', `A webhook can have at most ${maxCustomHeaders} headers. Remove one with null.`),
    }
  const length = [...headers].reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  return length > maxTotalLength
    ? {
        pointer,
        ...fail(
          'invalid_header',
          `All names and values together must be at most ${maxTotalLength} characters.`,
        ),
      }
    : null
}

/** Returns the headers as responses show them. */
export function maskHeaders(names: Iterable<string>): Record<string, string> {
  return Object.fromEntries([...names].map((name) => [name, headerMask]))
}

/** Adds custom headers to those of the service, whose names are reserved. */
export function addHeaders(own: Record<string, string>, custom: CustomHeaders): Record<string, string> {
  return custom.size === 0 ? own : { ...Object.fromEntries(custom), ...own }
}

export function pointerToHeader(name: string): string {
  return `/headers/${name.slice(0, maxNameLength).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

interface HeaderFault {
  code: FieldErrorCode
  detail: string
}

function findNameFault(name: string): HeaderFault | null {
  if (name.length > maxNameLength || !token.test(name))
    return fail(
      'invalid_header',
      `A header name must be 1 to ${maxNameLength} characters: letters, digits or any of !#$%&'*+-.^_\`|~. An example is Authorization.`,
    )
  // Servers with a CGI interface do not distinguish `webhook_id` from `webhook-id`.
  const key = name.toLowerCase().replaceAll('_', '-')
  const reason =
    reservedNames.get(key) ?? reservedPrefixes.find(([prefix]) => key.startsWith(prefix))?.[1] ?? null
  return reason === null ? null : fail('reserved_header', `This header cannot be set: ${reason}.`)
}

function findValueFault(value: unknown): HeaderFault | null {
  if (value === headerMask)
    return fail(
      'masked_value',
      `${headerMask} only marks a value that is not shown. Leave this header out to keep its value, or send a new value.`,
    )
  if (typeof value === 'string' && value.length <= maxHeaderValueLength && visibleAscii.test(value))
    return null
  return fail(
    'invalid_header',
    `The value must be text of 1 to ${maxHeaderValueLength} visible ASCII characters. Spaces are allowed between them. Use null to remove the header.`,
  )
}

function fail(code: FieldErrorCode, detail: string): HeaderFault {
  return { code, detail }
}

/** Shorter words are not credentials, and masking them would make responses unreadable. */
const minSecretLength = 8

export function maskEchoes(outcome: Outcome, headers: CustomHeaders): Outcome {
  if (headers.size === 0) return outcome
  const secrets = [...headers.values()].flatMap(findSecrets)
  const mask = (text: string) => secrets.reduce(maskSecret, text)
  const { error, responseHeaders, responseBody } = outcome
  return {
    ...outcome,
    error: error && { ...error, message: mask(error.message) },
    responseHeaders:
      responseHeaders &&
      Object.fromEntries(Object.entries(responseHeaders).map(([name, text]) => [mask(name), mask(text)])),
    responseBody: responseBody && mask(responseBody),
  }
}

/** Returns the words of a value such as `Bearer 8f1c2b7d`, as texts and as escaped in JSON. */
function findSecrets(value: string): string[] {
  const words = value.split(' ').filter((word) => word.length >= minSecretLength)
  if (words.length === 0 && value.length >= minSecretLength) words.push(value)
  return words.flatMap((word) => {
    const escaped = JSON.stringify(word).slice(1, -1)
    return [...new Set([word, escaped, escaped.replaceAll('/', '\\/')])]
  })
}

/** Also masks a secret of which the response has only the beginning, because it was cut. */
function maskSecret(text: string, secret: string): string {
  const beginning = secret.slice(0, minSecretLength)
  let masked = ''
  let end = 0
  for (let at = text.indexOf(beginning); at !== -1; at = text.indexOf(beginning, end)) {
    masked += text.slice(end, at) + headerMask
    end = at + minSecretLength
    while (end - at < secret.length && text[end] === secret[end - at]) end += 1
  }
  return masked + text.slice(end)
}
