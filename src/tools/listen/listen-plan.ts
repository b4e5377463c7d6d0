/** What a run is to do, read from the words of the command. */
import { UsageError } from '../../platform/command-line/usage-error.js'
import { eventTypes, everyEvent, subscribesTo } from '../../events/catalogue.js'
import { isPlainText } from '../../platform/http/input/fields.js'
import { makeSecret } from '../../webhooks/signing.js'
import { longestSecret } from '../../webhooks/webhook-fields.js'
import { addressOf, apiAt, requireToken } from '../remote/connection.js'
import { decodePosition } from './position.js'
import type { Position } from './position.js'

export interface ListenOptions {
  events?: string | undefined
  'forward-to'?: string | undefined
  api: string
  from?: string | undefined
  secret?: string | undefined
  json?: boolean | undefined
}

export interface Plan {
  token: string
  /** The address of the API, without `/v1`. */
  api: string
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

export function readPlan(options: ListenOptions, token: string | undefined): Plan {
  const events = eventsOf(options.events ?? everyEvent)
  return {
    token: requireToken('listen', token),
    api: apiAt(options.api, '--api'),
    receiver: receiverOf(options['forward-to']),
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
    `Unknown events: ${unknown.map((name) => name || '(none)').join(', ')}. Known are: ${eventTypes.join(', ')}; or * for all.`,
  )
}

function receiverOf(text: string | undefined): URL {
  if (text === undefined)
    throw new UsageError(
      'listen needs --forward-to, the address that events are sent to, such as http://localhost:4000/hook.',
    )
  return addressOf(text, '--forward-to', 'http://localhost:4000/hook')
}

function fromOf(text: string): Plan['from'] {
  if (text === 'now' || text === 'start') return text
  const position = decodePosition(text)
  if (position) return position
  throw new UsageError('--from takes now, start, or the text that an earlier run has printed.')
}

function secretOf(given: string | undefined): string {
  if (given === undefined) return makeSecret()
  if (isPlainText(given, 1, longestSecret)) return given
  throw new UsageError(`--secret takes 1 to ${longestSecret} characters, and not only spaces.`)
}
