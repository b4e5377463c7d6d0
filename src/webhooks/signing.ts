/** Signs requests to receivers (Standard Webhooks 1). */
import { createHmac } from 'node:crypto'

import { maskHeaders } from './custom-headers.js'
import { version } from '../platform/util/program.js'

const base64Prefix = 'whsec_'

export interface SignedMessage {
  /** Public ID of the event or the batch. */
  id: string
  body: string
  attempt: number
  /** Sequence number of the delivery, or of the first event of a batch. Null for a test. */
  sequence: number | null
}

/** The headers to store. All others can be derived from the event, the delivery and the attempt. */
type SignatureHeaders = Record<'user-agent' | 'webhook-timestamp' | 'webhook-signature', string>
type AttemptHeaders = SignatureHeaders & { traceparent?: string; custom?: readonly string[] }
export type SignedHeaders = Record<string, string> & SignatureHeaders & { traceparent?: string }

export function createSignedHeaders(
  message: SignedMessage,
  keys: readonly Buffer[],
  now: Date,
): SignedHeaders {
  const timestamp = Math.floor(now.getTime() / 1000)
  return createHeaders(message, {
    'user-agent': `link-service/${version}`,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': createSignatures(keys, message.id, timestamp, message.body),
  })
}

/**
 * Returns the headers to store with an attempt: about 150 bytes, 50 more while two secrets sign, and 70 more with a
 * traceparent. Only the names of custom headers are stored. For a batch, all headers of the service are stored, because
 * a delivery can move to another batch.
 */
export function formatStoredHeaders(
  headers: SignedHeaders,
  customNames: readonly string[],
  isBatch: boolean,
): string {
  const signature: SignatureHeaders = {
    'user-agent': headers['user-agent'],
    'webhook-timestamp': headers['webhook-timestamp'],
    'webhook-signature': headers['webhook-signature'],
  }
  const { traceparent } = headers
  const stored: AttemptHeaders = {
    ...(isBatch ? headers : signature),
    ...(traceparent !== undefined && { traceparent }),
    ...(customNames.length > 0 ? { custom: customNames } : {}),
  }
  return JSON.stringify(stored)
}

/** Restores all sent headers from the stored ones, with masks instead of the values of custom headers. */
export function restoreSentHeaders(
  stored: string,
  message: Omit<SignedMessage, 'body'>,
): Record<string, string> {
  const { custom = [], ...headers } = JSON.parse(stored) as AttemptHeaders
  return { ...createHeaders(message, headers), ...headers, ...maskHeaders(custom) }
}

function createHeaders({ id, attempt, sequence }: Omit<SignedMessage, 'body'>, signature: SignatureHeaders) {
  return {
    'content-type': 'application/json',
    'user-agent': signature['user-agent'],
    'webhook-id': id,
    'webhook-timestamp': signature['webhook-timestamp'],
    'webhook-signature': signature['webhook-signature'],
    'webhook-attempt': String(attempt),
    ...(sequence === null ? {} : { 'webhook-sequence': String(sequence) }),
  }
}

/**
 * Returns the key of a secret: the decoded bytes after `whsec_`, or the UTF-8 bytes of any other secret. A stored secret
 * may have text that is not base64 after `whsec_`; its UTF-8 bytes are the key. `hasReadableKey` rejects new ones.
 */
export function getSigningKey(secret: string): Buffer {
  return decodeKey(secret) ?? Buffer.from(secret, 'utf8')
}

/** Returns false if libraries cannot decode the key: `whsec_` without canonical base64 after it. */
export function hasReadableKey(secret: string): boolean {
  return !secret.startsWith(base64Prefix) || decodeKey(secret) !== null
}

function decodeKey(secret: string): Buffer | null {
  if (!secret.startsWith(base64Prefix)) return null
  const encoded = secret.slice(base64Prefix.length)
  const bytes = Buffer.from(encoded, 'base64')
  return bytes.length > 0 && bytes.toString('base64') === encoded ? bytes : null
}

/** Describes how to fix a secret without a readable key. */
export const unreadableKeyAdvice =
  'A secret that starts with whsec_ must continue with base64 (RFC 4648, with padding), which libraries decode. Encode the bytes as base64, or omit whsec_ to use the text itself.'

/** Returns the HMAC-SHA-256 of `id.timestamp.body` for each key, in the order of the keys. */
export function createSignatures(
  keys: readonly Buffer[],
  id: string,
  timestamp: number,
  body: string,
): string {
  return keys
    .map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
    .join(' ')
}
