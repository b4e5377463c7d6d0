/** The checks of a receiver: what each sends, and how to fix a receiver that reacts differently. */
import { randomBytes } from 'node:crypto'

import { currentMs } from '../../platform/util/clock.js'
import { maxBatchBytes } from '../../webhooks/batch-body.js'
import type { Reaction, ReceiverProbe } from './receiver-probe.js'

export interface ReceiverCheck {
  name: string
  expected: 'accept' | 'reject'
  send: (probe: ReceiverProbe) => Promise<Reaction | Reaction[]>
  /** How to fix a receiver that does the opposite. */
  fix: string
  /** How to fix a receiver that does not respond. Default: `fix`. */
  fixWithoutResponse?: string
  /** A failure is only a warning, because not every receiver needs this. */
  isOptional?: true
}

const lateMs = 10 * 60_000
const concurrentRequests = 20
const slowPieces = 5
const largeBytes = 64 * 1024
const otherKey = () => randomBytes(32)
/** Two of these make a batch of almost the largest size. */
const largeEvent = (probe: ReceiverProbe) =>
  probe.createEvent({ padding: 'x'.repeat(maxBatchBytes / 2 - 2048) })

/** The first check must pass: without it, the others prove nothing. */
export const receiverChecks: readonly ReceiverCheck[] = [
  {
    name: 'valid request',
    expected: 'accept',
    send: (probe) => probe.send(probe.createEvent()),
    fix: 'Verify the signature over the raw body, with the same secret, before parsing the body.',
    fixWithoutResponse: 'Start the receiver, and check the URL.',
  },
  {
    name: 'two signatures',
    expected: 'accept',
    send: (probe) => probe.send(probe.createEvent(), { keys: [otherKey(), probe.key] }),
    fix: 'While a secret is rotated, webhook-signature has several signatures separated by spaces. Accept the request if one of them is valid.',
  },
  {
    name: 'unknown event type',
    expected: 'accept',
    send: (probe) => probe.send(probe.createEvent({ type: 'example.future' })),
    fix: 'Respond with 2xx to event types that you do not handle. Other responses are retried.',
  },
  {
    name: 'unknown field',
    expected: 'accept',
    send: (probe) => probe.send(probe.createEvent({ added_later: { value: 1 } })),
    fix: 'Ignore unknown fields. New fields are not breaking changes.',
  },
  {
    name: 'repeated event',
    expected: 'accept',
    send: async (probe) => {
      const event = probe.createEvent()
      return [await probe.send(event), await probe.send(event, { attempt: 2 })]
    },
    fix: 'Respond with 2xx to a webhook-id that you have already received, and skip the event.',
  },
  {
    name: 'events out of order',
    expected: 'accept',
    send: async (probe) => {
      const [first, second] = [probe.createEvent(), probe.createEvent()]
      return [await probe.send(second), await probe.send(first)]
    },
    fix: 'Accept an event whose webhook-sequence is lower than that of an earlier event. Retries arrive late.',
  },
  {
    name: `${concurrentRequests} requests at once`,
    expected: 'accept',
    send: (probe) =>
      Promise.all(Array.from({ length: concurrentRequests }, () => probe.send(probe.createEvent()))),
    fix: 'Handle requests in parallel, or set max_in_flight of the webhook to the number you can handle.',
  },
  {
    name: 'slow request',
    expected: 'accept',
    send: (probe) => probe.send(probe.createEvent(), { pieces: slowPieces }),
    fix: 'Wait for the whole body. Allow at least 15 seconds for a request.',
  },
  {
    name: 'large event (64 KiB)',
    expected: 'accept',
    send: (probe) => probe.send(probe.createEvent({ padding: 'x'.repeat(largeBytes) })),
    fix: 'Raise the body limit of the receiver and of proxies in front of it to at least 64 KiB.',
  },
  {
    name: 'batch',
    expected: 'accept',
    send: (probe) => probe.send(probe.createBatch([probe.createEvent(), probe.createEvent()])),
    fix: 'If the webhook sends batches, process each event in the `events` list.',
    isOptional: true,
  },
  {
    name: 'event repeated in another batch',
    expected: 'accept',
    send: async (probe) => {
      const [first, second] = [probe.createEvent(), probe.createEvent()]
      return [
        await probe.send(probe.createBatch([first])),
        await probe.send(probe.createBatch([first, second])),
      ]
    },
    fix: 'If the webhook sends batches, skip the events that you have already received, and respond with 2xx.',
    isOptional: true,
  },
  {
    name: 'large batch (1 MiB)',
    expected: 'accept',
    send: (probe) => probe.send(probe.createBatch([largeEvent(probe), largeEvent(probe)])),
    fix: 'If the webhook sends batches, raise the body limit to 1 MiB.',
    isOptional: true,
  },
  {
    name: 'no signature',
    expected: 'reject',
    send: (probe) => probe.send(probe.createEvent(), { headers: { 'webhook-signature': null } }),
    fix: 'Reject requests without webhook-signature. Anyone can send them.',
  },
  {
    name: 'signed with another secret',
    expected: 'reject',
    send: (probe) => probe.send(probe.createEvent(), { keys: [otherKey()] }),
    fix: 'Reject requests whose signature does not match your secret. Anyone can send them.',
  },
  {
    name: 'changed body',
    expected: 'reject',
    send: (probe) => {
      const event = probe.createEvent()
      return probe.send(event, { body: event.body.replace('example.com', 'example.net') })
    },
    fix: 'Compute the signature over the received body, and reject the request if it does not match.',
  },
  {
    name: 'changed webhook-id',
    expected: 'reject',
    send: (probe) => probe.send(probe.createEvent(), { headers: { 'webhook-id': probe.createEvent().id } }),
    fix: 'Include webhook-id in the signed text (id.timestamp.body). Otherwise, a captured request can be sent again as a new event.',
  },
  {
    name: 'timestamp 10 minutes old',
    expected: 'reject',
    send: (probe) => probe.send(probe.createEvent(), { at: new Date(currentMs() - lateMs) }),
    fix: 'Reject a webhook-timestamp more than 5 minutes from now. Otherwise, captured requests stay valid forever.',
  },
  {
    name: 'timestamp 10 minutes ahead',
    expected: 'reject',
    send: (probe) => probe.send(probe.createEvent(), { at: new Date(currentMs() + lateMs) }),
    fix: 'Reject a webhook-timestamp more than 5 minutes from now, in both directions.',
  },
]
