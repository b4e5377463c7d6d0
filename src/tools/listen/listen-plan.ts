/** What a run is to do, read from the words of the command. */
import { UsageError } from '../../platform/config/startup-error.js'
import { eventTypes } from '../../events/catalogue.js'
import { isPlainText } from '../../platform/http/input/fields.js'
import { makeSecret } from '../../webhooks/signing.js'
import { decodePosition } from './position.js'
import type { Position } from './position.js'

export interface ListenOptions {
  token?: string | undefined
  events?: string | undefined
  'forward-to'?: string | undefined
  api?: string | undefined
  from?: string | undefined
  secret?: string | undefined
  json?: boolean | undefined
}

export interface Plan {
  token: string
  /** Before `/v1`. */
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

const defaultApi = 'http://localhost:3000/api'
const everyEvent = '*'
const longestSecret = 256

export function readPlan(options: ListenOptions, tokenOfEnvironment: string | undefined): Plan {
  const events = eventsOf(options.events ?? everyEvent)
  return {
    token: tokenOf(options.token ?? tokenOfEnvironment?.trim()),
    api: apiOf(options.api ?? defaultApi),
    receiver: receiverOf(options['forward-to']),
    events,
    wantsClicks: events.some((name) => name === 'click' || name === everyEvent),
    wantsOthers: events.some((name) => name !== 'click'),
    from: fromOf(options.from ?? 'now'),
    secret: secretOf(options.secret),
    isSecretMade: options.secret === undefined,
    json: options.json ?? false,
  }
}

export function isWanted({ events }: Plan, type: string): boolean {
  return events.includes(everyEvent) || events.includes(type)
}

function tokenOf(given = ''): string {
  if (given === '')
    throw new UsageError('listen needs a token: set LINK_SERVICE_TOKEN in the environment, or give --token.')
  if (!/^[\x21-\x7e]+$/.test(given)) throw new UsageError('What was given as the token is not a token.')
  return given
}

function eventsOf(text: string): string[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => name !== everyEvent && !(eventTypes as string[]).includes(name))
  if (unknown.length === 0) return [...new Set(names)]
  throw new UsageError(
    `Unknown events: ${unknown.map((name) => name || '(none)').join(', ')}. Known are: ${eventTypes.join(', ')}; or * for all.`,
  )
}

function apiOf(text: string): string {
  const url = addressOf(text, '--api', defaultApi)
  // The service itself prints its address with the version.
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
}

function receiverOf(text: string | undefined): URL {
  if (text === undefined)
    throw new UsageError(
      'listen needs --forward-to, the address that events are sent to, such as http://localhost:4000/hook.',
    )
  return addressOf(text, '--forward-to', 'http://localhost:4000/hook')
}

export function addressOf(text: string, option: string, example: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new UsageError(`${option} takes a whole address that begins with http, such as ${example}.`)
  if (url.username || url.password)
    throw new UsageError(`${option} takes an address without user name and password.`)
  return url
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
