/** The fields of webhooks: their rules, and how they are described. */
import { parseDuration } from '../platform/config/duration.js'
import { eventTypes, everyEvent } from '../events/catalogue.js'
import { isPlainText, plainTextPattern, Rule, unknownWords } from '../platform/http/input/fields.js'

const subscribable: readonly string[] = [...eventTypes, everyEvent]
const mostInFlight = 100
export const longestAddress = 2048
export const longestSecret = 256
/** What to write as the address of a webhook. */
export const wholeAddress = 'a whole address that begins with https://, such as https://example.com/hooks'
const longestOverlap = 30 * 86_400

/** Checks only what needs no settings. WebhookBodyPipe checks the rest of the address. */
export function IsAddress(): PropertyDecorator {
  return Rule('invalid_url', `Write ${wholeAddress}.`, (value) => typeof value === 'string', {
    minLength: 1,
    maxLength: longestAddress,
    pattern: '^[Hh][Tt][Tt][Pp][Ss]://[^#]+$',
  })
}

export function IsEventList(): PropertyDecorator {
  return Rule(
    'invalid_events',
    (value) =>
      `${unknownWords(value, subscribable)}Write a list of at least one of these events: ${eventTypes.join(', ')}; or * for all of them, also those to come.`,
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
    `Write 1 to ${longestSecret} characters, without control characters and not only spaces; 24 or more random bytes are best.`,
    (value) => isPlainText(value, 1, longestSecret),
    { minLength: 1, maxLength: longestSecret, pattern: plainTextPattern },
  )
}

export function IsMaxInFlight(): PropertyDecorator {
  return Rule(
    'invalid_number',
    `Write a whole number from 1 to ${mostInFlight}, without quotes.`,
    (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= mostInFlight,
    { type: 'integer', minimum: 1, maximum: mostInFlight },
  )
}

export function IsChosenStatus(): PropertyDecorator {
  return Rule(
    'invalid_status',
    'Write active or paused. Only the service itself disables a webhook; paused stops it just as well.',
    (value) => value === 'active' || value === 'paused',
  )
}

export function IsOverlap(): PropertyDecorator {
  return Rule(
    'invalid_duration',
    'Write "0s" to end the old secret at once, or a whole number and a unit (s, m, h, d or w) from "1s" to "30d", like "24h".',
    (value) => {
      const seconds = typeof value === 'string' ? overlapSeconds(value) : null
      return seconds !== null && seconds <= longestOverlap
    },
    { pattern: '^(0s|[1-9][0-9]{0,4}(s|m|h|d|w))$' },
  )
}

/** A duration cannot be zero elsewhere. Here zero ends the old secret at once. */
export const noOverlap = '0s'

function overlapSeconds(text: string): number | null {
  return text === noOverlap ? 0 : parseDuration(text)
}

const typeOrEvery = [
  { $ref: '#/components/schemas/EventType' },
  { type: 'string' as const, enum: [everyEvent] },
]

/** The OpenAPI descriptions of fields that occur in several classes. */
export const describes = {
  url: {
    description:
      'Where events are sent: https, at most 2,048 characters, without credentials and fragment, and not a private address.',
    example: 'https://receiver.example/hooks',
  },
  events: {
    type: 'array',
    items: { anyOf: typeOrEvery },
    description: 'The events it wants; `*` for all, also those that are added later. Repetitions fold.',
    example: ['link.created', 'click'] as string[],
  },
  secret: {
    description:
      'Signs what is sent: 1 to 256 characters of your own; 24 or more random bytes are best. `whsec_` and base64 stand for those bytes, anything else for its own bytes in UTF-8. Absent: one is made and shown in the answer. It is never shown again.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  },
  newSecret: {
    description: 'The new secret; the old one signs beside it for 24 hours more.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  },
  description: {
    type: String,
    nullable: true,
    description: 'A note for people.',
    example: 'The warehouse',
  },
  maxInFlight: {
    type: 'integer',
    description: 'How many requests it is sent at the same time, at most; 20 unless you say otherwise.',
    example: 20,
  },
} as const
