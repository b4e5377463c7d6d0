/** What a run of `listen` does, read from its options. */
import { UsageError } from '../../platform/command-line/usage-error.js'
import { eventTypes, everyEvent, subscribesTo } from '../../events/catalogue.js'
import { isPlainText } from '../../platform/http/input/fields.js'
import { makeSecret } from '../../webhooks/webhook-secrets.js'
import { longestSecret } from '../../webhooks/webhook-fields.js'
import { requireUrl } from '../remote/connection.js'
import type { ApiAccess } from '../remote/connection.js'
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
  /** Whether anything but clicks is wanted. */
  wantsOthers: boolean
  from: 'now' | 'start' | Position
  secret: string
  isSecretMade: boolean
  json: boolean
}

export function readPlan(options: ListenOptions): Plan {
  const events = eventsOf(options.events ?? everyEvent)
  return {
    receiver: requireUrl(options.forwardTo, '--forward-to', 'http://localhost:4000/hook'),
    events,
    wantsClicks: subscribesTo(events, 'click'),
    wantsOthers: events.some((name) => name !== 'click'),
    from: fromOf(options.from ?? 'now'),
    secret: secretOf(options.secret),
    isSecretMade: options.secret === undefined,
    json: options.json ?? false,
  }
}

function eventsOf(text: string): string[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => name !== everyEvent && !(eventTypes as string[]).includes(name))
  if (unknown.length === 0) return [...new Set(names)]
  throw new UsageError(
    `Unknown events: ${unknown.map((name) => name || '(none)').join(', ')}. Known types are: ${eventTypes.join(', ')}; or * for all.`,
  )
}

function fromOf(text: string): Plan['from'] {
  if (text === 'now' || text === 'start') return text
  const position = decodePosition(text)
  if (position) return position
  throw new UsageError('--from takes now, start, or a place that an earlier run printed.')
}

function secretOf(given: string | undefined): string {
  if (given === undefined) return makeSecret()
  if (isPlainText(given, 1, longestSecret)) return given
  throw new UsageError(`--secret takes 1 to ${longestSecret} characters, and not only spaces.`)
}
