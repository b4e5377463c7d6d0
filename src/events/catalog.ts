/** All event types. Their payloads are in payloads.ts, because commands need only the types. */
import type { Scope } from '../auth/scopes.js'

interface CatalogEntry {
  meaning: string
  /** A scope that readers and receivers of the event need in addition to `events:read`. `*` does not include the type. */
  scope?: Scope
}

export const catalog = {
  'link.created': {
    meaning: 'A link was created.',
  },
  'link.updated': {
    meaning: 'A link was updated. `previous` contains the old values of the changed fields.',
  },
  'link.deleted': {
    meaning: 'A link was deleted.',
  },
  click: {
    meaning: 'A link was clicked.',
  },
  'webhook.test': {
    meaning: 'A test event was requested. Sent only to the tested webhook.',
  },
  'webhook.failing': {
    meaning: 'All delivery attempts to a webhook have failed for 1 day (`WEBHOOK_FAILING_AFTER`).',
  },
  'webhook.disabled': {
    meaning:
      'The service disabled a webhook, because its attempts kept failing or its receiver responded with 410. If the disabled webhook subscribes to this type, its own delivery is held until it is active again.',
  },
  'webhook.recovered': {
    meaning: 'A webhook that was reported as failing or disabled has received an event again.',
  },
  'token.created': {
    meaning: 'A token was created, including by a rotation or on the command line.',
    scope: 'tokens:read',
  },
  'token.revoked': {
    meaning:
      'A token was revoked. `revoked_by` is the ID of the token that revoked it, or null if it was revoked on the command line.',
    scope: 'tokens:read',
  },
  'token.expiring': {
    meaning:
      'A token expires within 7 days or 1 day: see `days_left`. Not sent for a token that was created with a shorter lifetime.',
    scope: 'tokens:read',
  },
  'import.finished': {
    meaning: 'An import has ended. Not sent for dry runs. `status` is `finished`, `canceled` or `failed`.',
  },
} as const satisfies Record<string, CatalogEntry>

export type EventType = keyof typeof catalog

export const eventTypes = Object.keys(catalog) as EventType[]

/** Subscribes a webhook to all event types that need no additional scope, including future ones. */
export const everyEvent = '*'

/** Returns the scope that the type needs in addition to `events:read`, or null. */
function additionalScope(type: string): Scope | null {
  const entry: CatalogEntry | undefined = (catalog as Record<string, CatalogEntry>)[type]
  return entry?.scope ?? null
}

/** The types that need a scope in addition to `events:read`. */
export const scopedTypes = eventTypes.filter((type) => additionalScope(type) !== null)

/** Returns the entries of `events` that subscribe a webhook to the type. */
export function subscribingNames(type: string): string[] {
  return additionalScope(type) === null ? [type, everyEvent] : [type]
}

export function subscribesTo(events: readonly string[], type: string): boolean {
  return subscribingNames(type).some((name) => events.includes(name))
}

/** Returns the scopes that a token needs in addition to `events:read` to have these events sent to a webhook. */
export function receivingScopes(events: readonly string[]): Scope[] {
  return [...new Set(events.map(additionalScope))].filter((scope) => scope !== null)
}

/** Returns whether a caller with `events:read` may read events of the type. */
export function mayRead({ scopes }: { scopes: readonly Scope[] }, type: EventType): boolean {
  const scope = additionalScope(type)
  return scope === null || scopes.includes(scope)
}
