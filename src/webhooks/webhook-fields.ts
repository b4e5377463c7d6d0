/** Rules and descriptions of webhook fields. */
import { enumSchema, openEnumSchema } from '../platform/http/openapi/api-docs.js'
import type { Settings } from '../settings.js'
import { parseDuration } from '../platform/config/duration.js'
import { eventTypes, everyEvent } from '../events/catalog.js'
import { maxHeaderValueLength, maxCustomHeaders } from './custom-headers.js'
import { hasReadableKey, unreadableKeyAdvice } from './signing.js'
import { webhookFormats } from './formats/webhook-formats.js'
import { isJsonObject } from '../platform/http/input/strict-json.js'
import { IsOneOf, isPlainText, plainTextPattern, Rule, unknownWords } from '../platform/http/input/fields.js'

const subscribable: readonly string[] = [...eventTypes, everyEvent]
export const inFlightLimit = 100
export const maxUrlLength = 2048
export const maxWebhookSecretLength = 256
/** Describes a valid URL, as part of an error message. */
export const validUrl = 'a complete URL that starts with https://, such as https://example.com/hooks'
const maxOverlapSeconds = 30 * 86_400

/** Bounds in the OpenAPI document that depend on settings, by schema and field. */
export function webhookBounds({ webhookAllowHttp }: Pick<Settings, 'webhookAllowHttp'>) {
  const url = { pattern: `^[Hh][Tt][Tt][Pp]${webhookAllowHttp ? '[Ss]?' : '[Ss]'}://[^#]+$` }
  return { CreateWebhook: { url }, UpdateWebhook: { url } }
}

/** Checks the form of the URL. `inputErrors` of the DTO checks the rules that depend on settings. */
export function IsWebhookUrl(): PropertyDecorator {
  return Rule('invalid_url', `Must be ${validUrl}.`, (value) => typeof value === 'string', {
    minLength: 1,
    maxLength: maxUrlLength,
  })
}

export function IsEventList(): PropertyDecorator {
  return Rule(
    'invalid_events',
    (value) =>
      `${unknownWords(value, subscribable)}Must be a list of at least one of these event types: ${eventTypes.join(', ')}; or * for all, including future types, except token.*.`,
    (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.length <= subscribable.length &&
      value.every((name) => subscribable.includes(name as string)),
    { minItems: 1, maxItems: subscribable.length },
  )
}

export function IsSecret(): PropertyDecorator {
  return Rule(
    'invalid_secret',
    (value) =>
      isPlainText(value, 1, maxWebhookSecretLength)
        ? unreadableKeyAdvice
        : `Must be 1 to ${maxWebhookSecretLength} characters, not blank, without control characters. Use at least 24 random bytes.`,
    (value) => isPlainText(value, 1, maxWebhookSecretLength) && hasReadableKey(value as string),
    { minLength: 1, maxLength: maxWebhookSecretLength, pattern: plainTextPattern },
  )
}

export function IsWebhookFormat(): PropertyDecorator {
  return IsOneOf('invalid_format', webhookFormats)
}

/** Checks the type. `inputErrors` of the DTO checks the names and values. */
export function IsHeaders(): PropertyDecorator {
  return Rule(
    'invalid_headers',
    'Must be an object of header names and values, such as {"Authorization": "Bearer …"}, or null.',
    isJsonObject,
  )
}

export function IsChosenStatus(): PropertyDecorator {
  return Rule(
    'invalid_status',
    'Must be active or paused. Only the service can disable a webhook. To stop deliveries, use paused.',
    (value) => value === 'active' || value === 'paused',
  )
}

export function IsOverlap(): PropertyDecorator {
  return Rule(
    'invalid_duration',
    'Must be a duration from "1s" to "30d", such as "24h", or "0s" to end the old secret immediately.',
    (value) => {
      const seconds = typeof value === 'string' ? overlapSeconds(value) : null
      return seconds !== null && seconds <= maxOverlapSeconds
    },
    { pattern: '^(0s|[1-9][0-9]{0,4}(s|m|h|d|w))$' },
  )
}

/** Ends the old secret immediately. All other durations must be positive. */
export const noOverlap = '0s'

function overlapSeconds(text: string): number | null {
  return text === noOverlap ? 0 : parseDuration(text)
}

const subscription = openEnumSchema(
  'EventSubscription',
  `An event type, or \`${everyEvent}\` for all types, including future ones. Token events (\`token.*\`) must be named.`,
  subscribable,
)

/** OpenAPI descriptions of fields that several classes have. */
export const fieldDocs = {
  url: {
    description:
      'URL that receives events: https, at most 2,048 characters, without credentials or fragment, and not a private IP address.',
    example: 'https://receiver.example/hooks',
  },
  events: {
    ...subscription,
    isArray: true,
    description:
      'Event types the webhook subscribes to. `*` means all types, including future ones, except token events (`token.*`), which must be named. Duplicates are merged.',
    example: ['link.created', 'click'] as string[],
  },
  secret: {
    description:
      'Secret that signs requests: 1 to 256 characters, ideally at least 24 random bytes. After `whsec_`, it must be base64, and the decoded bytes are the key. Any other secret is used as UTF-8 text. Default: a generated secret, which is returned only in this response.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  },
  newSecret: {
    description: 'New secret. For 24 hours, requests are also signed with the old one.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  },
  description: {
    type: String,
    nullable: true,
    description: 'Description of the webhook, for your own reference.',
    example: 'The warehouse',
  },
  maxInFlight: {
    type: 'integer',
    description: 'Maximum number of concurrent requests to the webhook. Default: 20.',
    example: 20,
  },
  format: {
    ...enumSchema('WebhookFormat', 'Format of the request body.', webhookFormats, {
      standard: 'The event as JSON.',
      slack: 'A message for a Slack incoming webhook.',
      discord: 'A message for a Discord webhook.',
    }),
    description:
      'Format of the request body: the event (`standard`, the default), or a message that describes the event in a Slack or Discord channel.',
    example: 'standard',
  },
  headers: {
    type: 'object',
    additionalProperties: { type: 'string', minLength: 1, maxLength: maxHeaderValueLength },
    nullable: true,
    description: `Custom headers of requests to the webhook, such as \`Authorization\`: at most ${maxCustomHeaders}, with visible ASCII values. They are stored encrypted and never shown again. Headers that the service sets, such as \`webhook-*\` and \`Content-Type\`, and connection headers are rejected.`,
    example: { authorization: 'Bearer 8f1c2b7d' } as Record<string, string>,
  },
  changedHeaders: {
    type: 'object',
    additionalProperties: { type: 'string', nullable: true, minLength: 1, maxLength: maxHeaderValueLength },
    nullable: true,
    description:
      'Custom headers to set, or null to remove one. Absent headers keep their values, and `null` instead of the object removes all. If the scheme, host or port of `url` changes, every header needs a new value or null.',
    example: { authorization: 'Bearer 8f1c2b7d', 'x-old': null } as Record<string, string | null>,
  },
  ordered: {
    type: Boolean,
    description:
      'Whether deliveries are sent one at a time, in the order of their events. A failing delivery then blocks all later ones until it succeeds, is skipped, or has no retries left. Default: false.',
    example: false,
  },
} as const
