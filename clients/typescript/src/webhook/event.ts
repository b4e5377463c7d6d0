import type { webhooks } from '../generated/openapi.js'

type EventBody<Operation> = Operation extends {
  post: { requestBody: { content: { 'application/json': infer Event } } }
}
  ? Event
  : never

/** The events known to this version of the client, discriminated by `type`. */
export type KnownWebhookEvent = { [Type in keyof webhooks]: EventBody<webhooks[Type]> }[keyof webhooks]

/**
 * An event type added by a newer service. `data` is `never`, so that it does not widen the data of known events in a
 * `switch` over `type`. Read it as `unknown`.
 */
export interface UnknownWebhookEvent {
  id: string
  type: string
  timestamp: string
  data: never
}

export type WebhookEvent = KnownWebhookEvent | UnknownWebhookEvent

/** The body of a delivery to a webhook with batches. */
export interface EventBatch {
  batch_id: string
  /** The events in order. `sequence` is the number that `webhook-sequence` has without batches; null for a test. */
  events: (WebhookEvent & { sequence: number | null })[]
}
