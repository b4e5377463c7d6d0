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
