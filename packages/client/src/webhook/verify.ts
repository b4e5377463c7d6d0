/** Verifies deliveries as a receiver, by Standard Webhooks, version 1. */
import type { WebhookEvent } from './event.js'
import { headerOf } from './headers.js'
import type { AnyHeaders } from './headers.js'

/**
 * A delivery: a `Request`, a request of Node.js that nobody has read yet, or headers and the body as it came, such as a
 * framework's request with a raw body.
 */
export type SignedRequest =
  | { headers: AnyHeaders; arrayBuffer(): Promise<ArrayBuffer> }
  | { headers: AnyHeaders; body: string | Uint8Array | ArrayBuffer }
  | ({ headers: AnyHeaders } & AsyncIterable<Uint8Array>)

export interface VerifyOptions {
  /** How many seconds the timestamp may be away from this machine's clock; 300 by default. */
  tolerance?: number
  /** The longest body of a request of Node.js that is read here; 1 MiB by default. */
  maxBytes?: number
}

export type VerificationCode =
  'missing_header' | 'timestamp_out_of_tolerance' | 'body_too_large' | 'signature_mismatch' | 'not_an_event'

/** The delivery is not genuine, or too old or too new. Answer 400 and do nothing. */
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
 * Resolves with the event of a genuine delivery, and throws a `WebhookVerificationError` for any other. While a secret
 * is rotated, give both.
 */
export async function verifyWebhook(
  request: SignedRequest,
  secrets: string | readonly string[],
  { tolerance = defaultTolerance, maxBytes = defaultMaxBytes }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const keys = typeof secrets === 'string' ? [secrets] : secrets
  if (
    !Array.isArray(keys) ||
    keys.length === 0 ||
    keys.some((each) => typeof each !== 'string' || each === '')
  )
    throw new TypeError('verifyWebhook needs the secret of the webhook.')
  if (!(tolerance >= 0)) throw new TypeError('tolerance takes seconds.')

  const id = required(request.headers, 'webhook-id')
  const timestamp = required(request.headers, 'webhook-timestamp')
  const given = signaturesIn(required(request.headers, 'webhook-signature'))
  if (!/^\d{1,12}$/.test(timestamp) || !(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= tolerance))
    throw new WebhookVerificationError(
      'timestamp_out_of_tolerance',
      `The timestamp is more than ${tolerance} seconds away from this machine's clock.`,
    )

  const body = await bodyOf(request, maxBytes)
  const signed = joined(encoder.encode(`${id}.${timestamp}.`), body)
  if (!(await isSigned(signed, given, keys)))
    throw new WebhookVerificationError(
      'signature_mismatch',
      'No signature is right: another secret, or a body that is not as it came.',
    )
  return eventOf(body)
}

async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  given: readonly Uint8Array<ArrayBuffer>[],
  secrets: readonly string[],
): Promise<boolean> {
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey(
      'raw',
      keyOf(secret),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['verify'],
    )
    // The comparison of Web Crypto takes the same time for every wrong signature, so timing tells nothing.
    for (const signature of given) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true
  }
  return false
}

/** After `whsec_`, valid base64 stands for the bytes of the key. Of any other secret the UTF-8 bytes are the key. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const encoded = secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : ''
  return bytesOf(encoded) ?? encoder.encode(secret)
}

/** Null for text that is not canonical base64 with padding. */
function bytesOf(encoded: string): Uint8Array<ArrayBuffer> | null {
  try {
    const text = atob(encoded)
    if (text === '' || btoa(text) !== encoded) return null
    return Uint8Array.from(text, (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

// A webhook signs with two secrets at most. More signatures are there only to keep this machine busy.
const mostSignatures = 8

function signaturesIn(header: string): Uint8Array<ArrayBuffer>[] {
  return header
    .split(' ', mostSignatures)
    .filter((each) => each.startsWith('v1,'))
    .flatMap((each) => bytesOf(each.slice('v1,'.length)) ?? [])
}

function required(headers: AnyHeaders, name: string): string {
  const value = headerOf(headers, name)
  if (value) return value
  throw new WebhookVerificationError('missing_header', `The request has no header ${name}.`)
}

async function bodyOf(request: SignedRequest, maxBytes: number): Promise<Uint8Array> {
  if ('arrayBuffer' in request && typeof request.arrayBuffer === 'function')
    return new Uint8Array(await request.arrayBuffer())
  const { body } = request as { body?: unknown }
  if (typeof body === 'string') return encoder.encode(body)
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  if (body === undefined && Symbol.asyncIterator in request) return readAll(request, maxBytes)
  throw new TypeError('verifyWebhook needs the body as it came: a text or bytes, not what was parsed of it.')
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
  return joined(...read)
}

function joined(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

function eventOf(body: Uint8Array): WebhookEvent {
  try {
    const event = JSON.parse(new TextDecoder().decode(body)) as Partial<WebhookEvent> | null
    if (typeof event?.id === 'string' && typeof event.type === 'string') return event as WebhookEvent
  } catch {
    // The error below says so.
  }
  throw new WebhookVerificationError('not_an_event', 'What was signed is not an event.')
}
