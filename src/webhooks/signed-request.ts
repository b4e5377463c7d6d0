/** The headers of a request to a receiver, the same for deliveries and for tests, and its signature (Standard Webhooks 1). */
import { createHmac } from 'node:crypto'

import { version } from '../platform/http/version.js'

const base64Prefix = 'whsec_'

interface Message {
  /** The event's id, as receivers see it. */
  id: string
  body: string
  attempt: number
  /** Null for what stands outside the order. */
  sequence: number | null
}

export function headersOf(
  { id, body, attempt, sequence }: Message,
  keys: readonly Buffer[],
  now: Date,
): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000)
  return {
    'content-type': 'application/json',
    'user-agent': `link-service/${version}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures(keys, id, timestamp, body),
    'webhook-attempt': String(attempt),
    ...(sequence === null ? {} : { 'webhook-sequence': String(sequence) }),
  }
}

/** `whsec_` and valid base64 stand for those bytes; anything else is a key by its own UTF-8 bytes. */
export function keyOf(secret: string): Buffer {
  if (secret.startsWith(base64Prefix)) {
    const encoded = secret.slice(base64Prefix.length)
    const bytes = Buffer.from(encoded, 'base64')
    if (bytes.length > 0 && bytes.toString('base64') === encoded) return bytes
  }
  return Buffer.from(secret, 'utf8')
}

/** HMAC-SHA-256 of `id.timestamp.body`: one signature for each key, the newest first. */
export function signatures(keys: readonly Buffer[], id: string, timestamp: number, body: string): string {
  return keys
    .map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
    .join(' ')
}
