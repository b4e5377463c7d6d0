/** The body of a batch. It depends only on stored values, so that every attempt sends the same bytes. */
import { encodeId } from '../platform/database/ids.js'

/** Maximum size of a body in bytes. A single larger event is still sent, alone. */
export const maxBatchBytes = 1_048_576

interface BatchedEvent {
  /** The JSON of the event. */
  body: string
  /** Null for a test. */
  sequence: number | null
}

export function batchBody(batchId: string, events: readonly BatchedEvent[]): string {
  return `{"batch_id":"${encodeId('bat', batchId)}","events":[${events.map(withSequence).join(',')}]}`
}

function withSequence({ body, sequence }: BatchedEvent): string {
  return `${body.slice(0, -1)},"sequence":${sequence}}`
}

/** Returns how many events fit into a body, and at least one. The sizes are those of the events in bytes. */
export function countFitting(eventBytes: readonly number[]): number {
  let bytes = envelopeBytes
  const tooMany = eventBytes.findIndex((size) => (bytes += size + bytesPerEvent) > maxBatchBytes)
  return tooMany === -1 ? eventBytes.length : Math.max(1, tooMany)
}

const largestSequence = Number.MAX_SAFE_INTEGER
const envelopeBytes = 80
const bytesPerEvent = `,"sequence":${largestSequence},`.length
