/** Validates the options of `listen`. */
import { UsageError } from '../../platform/command-line/usage-error.js'
import { eventTypes, everyEvent, subscribesTo } from '../../events/catalogue.js'
import { isPlainText } from '../../platform/http/input/fields.js'
import { makeSecret } from '../../webhooks/webhook-secrets.js'
import { hasReadableKey, unreadableKeyAdvice } from '../../webhooks/signing.js'
import { longestSecret } from '../../webhooks/webhook-fields.js'
import { requireUrl } from '../remote/api-access.js'
import type { ApiAccess } from '../remote/api-access.js'
import { decodePosition } from './position.js'
import type { Position } from './position.js'

export interface ListenOptions extends ApiAccess {
  events?: string | undefined
  forwardTo: string
  from?: string | undefined
  secret?: string | undefined
  json?: boolean | undefined
}

export interface Plan {
  receiver: URL
  events: readonly string[]
  wantsClicks: boolean
  /** Whether events other than clicks are forwarded. */
  wantsEvents: boolean
  from: 'now' | 'start' | Position
  secret: string
  isSecretGenerated: boolean
  json: boolean
}

export function readPlan(options: ListenOptions): Plan {
  const events = parseEvents(options.events ?? everyEvent)
  return {
    receiver: requireUrl(options.forwardTo, '--forward-to', 'http://localhost:4000/hook'),
    events,
    wantsClicks: subscribesTo(events, 'click'),
    wantsEvents: events.some((name) => name !== 'click'),
    from: parseFrom(options.from ?? 'now'),
    secret: parseSecret(options.secret),
    isSecretGenerated: options.secret === undefined,
    json: options.json ?? false,
  }
}

function parseEvents(text: string): string[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => name !== everyEvent && !(eventTypes as string[]).includes(name))
  if (unknown.length === 0) return [...new Set(names)]
  throw new UsageError(
    `Unknown events: ${unknown.map((name) => name || '(none)').join(', ')}. Use * for all events, or types from this list: ${eventTypes.join(', ')}.`,
  )
}

function parseFrom(text: string): Plan['from'] {
  if (text === 'now' || text === 'start') return text
  const position = decodePosition(text)
  if (position) return position
  throw new UsageError('--from takes now, start, or a cursor that an earlier run printed.')
}

function parseSecret(text: string | undefined): string {
  if (text === undefined) return makeSecret()
  if (!isPlainText(text, 1, longestSecret))
    throw new UsageError(`--secret takes 1 to ${longestSecret} characters that are not all spaces.`)
  if (!hasReadableKey(text)) throw new UsageError(`--secret is not valid. ${unreadableKeyAdvice}`)
  return text
}
