/** Validates the options of `listen`. */
import { UsageError } from '../../platform/config/startup-error.js'
import { eventTypes, everyEvent, subscribesTo } from '../../events/catalog.js'
import { decodeId } from '../../platform/database/ids.js'
import { generateSecret } from '../../webhooks/webhook-secrets.js'
import { requireUrl } from '../remote/api-access.js'
import type { ApiAccess } from '../remote/api-access.js'
import { requireSigningSecret } from '../remote/signing-secret.js'
import { decodePosition } from './position.js'
import type { Position } from './position.js'

export interface ListenOptions extends ApiAccess {
  events?: string | undefined
  forwardTo: string
  from?: string | undefined
  replay?: readonly string[] | undefined
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
  /** IDs of past events to send instead of new ones. Null if the option is absent. */
  replay: readonly string[] | null
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
    replay: options.replay ? parseReplay(options.replay) : null,
    secret:
      options.secret === undefined ? generateSecret() : requireSigningSecret('--secret', options.secret),
    isSecretGenerated: options.secret === undefined,
    json: options.json ?? false,
  }
}

function parseEvents(text: string): string[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => name !== everyEvent && !(eventTypes as string[]).includes(name))
  if (unknown.length === 0) return [...new Set(names)]
  throw new UsageError(
    `Unknown events: ${unknown.map((name) => name || '(none)').join(', ')}. Use * for all events except token.*, or types from this list: ${eventTypes.join(', ')}.`,
  )
}

function parseFrom(text: string): Plan['from'] {
  if (text === 'now' || text === 'start') return text
  const position = decodePosition(text)
  if (position) return position
  throw new UsageError('--from takes now, start, or a cursor that an earlier run printed.')
}

function parseReplay(texts: readonly string[]): string[] {
  const ids = texts.flatMap((text) => text.split(',')).map((id) => id.trim())
  const invalid = ids.filter((id) => decodeId('evt', id) === null)
  if (invalid.length === 0) return ids
  throw new UsageError(
    `--replay takes IDs of events, such as evt_01kaj4d0qae6svf0k9w3m7x2ht, not ${invalid.map((id) => id || '(none)').join(', ')}.`,
  )
}
