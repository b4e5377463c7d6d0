/** What a receiver gets: the same for deliveries and for tests. */
import { version } from '../platform/http/version.js'
import { signatures } from './signature.js'

export interface Message {
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
