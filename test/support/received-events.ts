/** The events that a receiver got, and faults in their sequence. */
import type { Received } from './receiver.js'

export interface ReceivedEvent {
  id: string
  type: string
  sequence: number
  link: string
}

interface EventBody {
  id: string
  type: string
  sequence: number
  data: { link: { id: string } }
}

/** Returns the event of a request, or all events of a batch. */
export function parseReceivedEvents({ headers, body }: Received): ReceivedEvent[] {
  const parsed = JSON.parse(body) as EventBody | { events: EventBody[] }
  const sequence = Number(headers['webhook-sequence'])
  const events = 'events' in parsed ? parsed.events : [{ ...parsed, sequence }]
  return events.map((event) => ({
    id: event.id,
    type: event.type,
    sequence: event.sequence,
    link: event.data.link.id,
  }))
}

const shownFaults = 5

/** Describes the first requests that are repeated with changes or out of sequence. */
export function findSequenceFaults(
  path: string,
  received: readonly Received[],
  { isOrdered }: { isOrdered: boolean },
): string[] {
  const bodies = new Map<string, string>()
  const sequenceOf = new Map<string, number>()
  const faults: string[] = []
  let highest = 0
  for (const request of received) {
    const id = String(request.headers['webhook-id'])
    const isRepeated = bodies.has(id)
    if (isRepeated && bodies.get(id) !== request.body)
      faults.push(`${path} received ${id} twice with different contents`)
    bodies.set(id, request.body)
    for (const event of parseReceivedEvents(request)) {
      const before = sequenceOf.get(event.id)
      if (before !== undefined && before !== event.sequence)
        faults.push(`${path} received ${event.id} as ${before} and ${event.sequence}`)
      sequenceOf.set(event.id, event.sequence)
      if (isOrdered && !isRepeated && event.sequence !== highest + 1)
        faults.push(`${path} received sequence ${event.sequence} after ${highest}`)
      highest = Math.max(highest, event.sequence)
    }
  }
  const sequences = [...sequenceOf.values()].sort((a, b) => a - b)
  const gaps = sequences.filter((sequence, i) => sequence !== i + 1)
  if (gaps.length > 0) faults.push(`${path} received sequence ${gaps[0]} after a gap`)
  return faults.slice(0, shownFaults)
}
