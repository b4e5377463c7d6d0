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
