/** Verifies webhook deliveries according to Standard Webhooks, version 1. */
import type { EventBatch, WebhookEvent } from './event.js'
import { getHeader } from './headers.js'
import type { AnyHeaders } from './headers.js'

/**
 * A delivery: a `Request`, an unread Node.js request, or headers and the raw body, such as a framework's request with a
 * raw body.
 */
export type SignedRequest =
  | { headers: AnyHeaders; arrayBuffer(): Promise<ArrayBuffer> }
  | { headers: AnyHeaders; body: string | Uint8Array | ArrayBuffer }
  | ({ headers: AnyHeaders } & AsyncIterable<Uint8Array>)

export interface VerifyOptions {
  /** The maximum difference between the timestamp and the local clock, in seconds; 300 by default. */
  tolerance?: number
  /** The maximum body size of a Node.js request; 1 MiB by default. */
  maxBytes?: number
}

export type VerificationCode =
  | 'missing_header'
  | 'timestamp_out_of_tolerance'
  | 'body_too_large'
  | 'signature_mismatch'
  | 'not_an_event'
  | 'not_a_batch'

/** The delivery is not authentic, or its timestamp is out of tolerance. Respond with 400 and do nothing. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'

  constructor(
    readonly code: VerificationCode,
    message: string,
  ) {
    super(message)
  }
}

const defaultTolerance = 300
const defaultMaxBytes = 1024 * 1024
const encoder = new TextEncoder()

/**
 * Verifies a delivery and returns its event, or throws a `WebhookVerificationError`. During a rotation, pass both
 * secrets.
 */
export async function verifyWebhook(
  request: SignedRequest,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const event = await verifyBody(request, secrets, options)
  if (isEvent(event)) return event
  throw new WebhookVerificationError('not_an_event', 'The signed body is not an event.')
}

/** Like `verifyWebhook`, for a webhook with batches. Returns all events of the delivery. */
export async function verifyWebhookBatch(
  request: SignedRequest,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<EventBatch> {
  const batch = (await verifyBody(request, secrets, options)) as Partial<EventBatch> | null
  if (typeof batch?.batch_id === 'string' && Array.isArray(batch.events) && batch.events.every(isEvent))
    return batch as EventBatch
  throw new WebhookVerificationError('not_a_batch', 'The signed body is not a batch of events.')
}

/** Verifies a delivery and returns its parsed body. */
async function verifyBody(
  request: SignedRequest,
  secrets: string | readonly string[],
  { tolerance = defaultTolerance, maxBytes = defaultMaxBytes }: VerifyOptions,
): Promise<unknown> {
  const keys = typeof secrets === 'string' ? [secrets] : secrets
  if (
    !Array.isArray(keys) ||
    keys.length === 0 ||
    keys.some((each) => typeof each !== 'string' || each === '')
  )
    throw new TypeError('verifyWebhook needs the secret of the webhook.')
  if (!(tolerance >= 0)) throw new TypeError('tolerance must be a number of seconds, at least 0.')

  const id = requireHeader(request.headers, 'webhook-id')
  const timestamp = requireHeader(request.headers, 'webhook-timestamp')
  const signatures = parseSignatures(requireHeader(request.headers, 'webhook-signature'))
  if (!/^\d{1,12}$/.test(timestamp) || !(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= tolerance))
    throw new WebhookVerificationError(
      'timestamp_out_of_tolerance',
      `The timestamp is more than ${tolerance} seconds away from the local clock.`,
    )

  const body = await toBytes(request, maxBytes)
  const signed = joinChunks(encoder.encode(`${id}.${timestamp}.`), body)
  if (!(await isSigned(signed, signatures, keys)))
    throw new WebhookVerificationError(
      'signature_mismatch',
      'No signature matches. The secret is wrong, or the body is not the raw body.',
    )
  return parseJson(body)
}

async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  secrets: readonly string[],
): Promise<boolean> {
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey(
      'raw',
      decodeKey(secret),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['verify'],
    )
    // Web Crypto compares in constant time.
    for (const signature of signatures)
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true
  }
  return false
}

/** Returns the key: the decoded base64 after `whsec_`, otherwise the UTF-8 bytes of the secret. */
function decodeKey(secret: string): Uint8Array<ArrayBuffer> {
  const encoded = secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : ''
  return decodeBase64(encoded) ?? encoder.encode(secret)
}

/** Decodes canonical base64 with padding. Returns null for any other text. */
function decodeBase64(encoded: string): Uint8Array<ArrayBuffer> | null {
  try {
    const text = atob(encoded)
    if (text === '' || btoa(text) !== encoded) return null
    return Uint8Array.from(text, (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

// A webhook signs with at most two secrets. Ignore excess signatures, which would only cost time.
const maxSignatures = 8

function parseSignatures(header: string): Uint8Array<ArrayBuffer>[] {
  return header
    .split(' ', maxSignatures)
    .filter((each) => each.startsWith('v1,'))
    .flatMap((each) => decodeBase64(each.slice('v1,'.length)) ?? [])
}

function requireHeader(headers: AnyHeaders, name: string): string {
  const value = getHeader(headers, name)
  if (value) return value
  throw new WebhookVerificationError('missing_header', `The header ${name} is missing.`)
}

async function toBytes(request: SignedRequest, maxBytes: number): Promise<Uint8Array> {
  if ('arrayBuffer' in request && typeof request.arrayBuffer === 'function')
    return new Uint8Array(await request.arrayBuffer())
  const { body } = request as { body?: unknown }
  if (typeof body === 'string') return encoder.encode(body)
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  if (body === undefined && Symbol.asyncIterator in request) return readAll(request, maxBytes)
  throw new TypeError('verifyWebhook needs the raw body as a string or bytes, not the parsed body.')
}

async function readAll(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const read: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    read.push(chunk)
    length += chunk.length
    if (length > maxBytes)
      throw new WebhookVerificationError('body_too_large', `The body has more than ${maxBytes} bytes.`)
  }
  return joinChunks(...read)
}

function joinChunks(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Returns undefined if the body is not JSON. */
function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

function isEvent(value: unknown): value is WebhookEvent {
  const event = value as Partial<WebhookEvent> | null | undefined
  return typeof event?.id === 'string' && typeof event.type === 'string'
}
