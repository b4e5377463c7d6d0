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

/** The headers that nothing else tells afterwards; the others follow from the event, the delivery and the attempt. */
type KeptHeaders = Record<'user-agent' | 'webhook-timestamp' | 'webhook-signature', string>

export function headersOf(
  message: Message,
  keys: readonly Buffer[],
  now: Date,
): Record<string, string> & KeptHeaders {
  const timestamp = Math.floor(now.getTime() / 1000)
  return allHeaders(message, {
    'user-agent': `link-service/${version}`,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures(keys, message.id, timestamp, message.body),
  })
}

/** As text, to be stored with each attempt: about 150 bytes, and 50 more while two secrets sign. */
export function storedHeaders(headers: KeptHeaders): string {
  const kept: KeptHeaders = {
    'user-agent': headers['user-agent'],
    'webhook-timestamp': headers['webhook-timestamp'],
    'webhook-signature': headers['webhook-signature'],
  }
  return JSON.stringify(kept)
}

/** All that were sent, from what was stored. */
export function sentHeaders(stored: string, message: Omit<Message, 'body'>): Record<string, string> {
  return allHeaders(message, JSON.parse(stored) as KeptHeaders)
}

function allHeaders({ id, attempt, sequence }: Omit<Message, 'body'>, kept: KeptHeaders) {
  return {
    'content-type': 'application/json',
    'user-agent': kept['user-agent'],
    'webhook-id': id,
    'webhook-timestamp': kept['webhook-timestamp'],
    'webhook-signature': kept['webhook-signature'],
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
