import type { webhooks } from '../generated/openapi.js'

type EventBody<Operation> = Operation extends {
  post: { requestBody: { content: { 'application/json': infer Event } } }
}
  ? Event
  : never

/** The events that this version of the client knows, told apart by `type`. */
export type KnownWebhookEvent = { [Type in keyof webhooks]: EventBody<webhooks[Type]> }[keyof webhooks]

/**
 * An event of a newer service. Its `type` may be any text, so the compiler keeps it in every case of a `switch`. There
 * its `data`, which is `never`, does not change the type of the known event's data. Read it as `unknown`.
 */
export interface UnknownWebhookEvent {
  id: string
  type: string
  timestamp: string
  data: never
}

export type WebhookEvent = KnownWebhookEvent | UnknownWebhookEvent
