/**
 * Describes an event as a message. A message depends only on the event, so that every attempt sends the same bytes, and
 * contains nothing that is private: no IP address, and no path of a webhook URL, which may contain a credential.
 */
import type { EventType } from '../../events/catalog.js'
import type { Event, EventData } from '../../events/payloads.js'
import { parseUrl } from '../../platform/util/parse-url.js'

/** The lines of a message. Texts are not escaped, and may contain anything. */
export interface EventMessage {
  title: string
  /** URL that the title ends with. */
  url: string | null
  facts: readonly Fact[]
}

export interface Fact {
  name: string
  value: string
  /** The value before a change. */
  old?: string
  /** Whether the value is a URL to link to. */
  isUrl?: boolean
}

type Describe<T extends EventType> = (data: EventData[T]) => EventMessage

/** The messages of all event types. A type without one gets `describeOther`. */
export const messages: { readonly [T in EventType]?: Describe<T> } = {
  'link.created': ({ link }) => ({
    title: 'Link created',
    url: link.short_url,
    facts: [destination(link.url), ...getTitleFacts(link), ...getTagFacts(link)],
  }),
  'link.updated': ({ link, previous }) => ({
    title: 'Link updated',
    url: link.short_url,
    facts: [
      ...('url' in previous ? [] : [destination(link.url)]),
      ...('title' in previous ? [] : getTitleFacts(link)),
      ...Object.entries(previous).map(([field, old]) => ({
        name: toWords(field),
        value: show((link as Record<string, unknown>)[field]),
        old: show(old),
      })),
    ],
  }),
  'link.deleted': ({ link }) => ({
    title: 'Link deleted',
    url: link.short_url,
    facts: [destination(link.url), ...getTitleFacts(link)],
  }),
  click: ({ click, link }) => ({
    title: click.bot ? 'Click by a bot' : 'Click',
    url: link.short_url,
    facts: [
      ...getTitleFacts(link),
      ...createFacts('Country', formatCountry(click.country)),
      ...createFacts('City', click.city),
      ...createFacts('Referrer', click.referrer_host),
      ...createFacts('Campaign', click.utm_campaign),
      ...createFacts('Source', click.source === 'qr' ? 'QR code' : click.utm_source),
      ...createFacts('Device', [click.browser, click.os, click.device].filter(Boolean).join(', ')),
    ],
  }),
  'webhook.test': ({ webhook_id, message }) => ({
    title: 'Test',
    url: null,
    facts: [
      { name: 'Message', value: message },
      { name: 'Webhook', value: webhook_id },
    ],
  }),
  'webhook.failing': (data) => describeWebhook('Webhook is failing', data),
  'webhook.disabled': (data) => describeWebhook('Webhook disabled', data),
  'webhook.recovered': (data) => describeWebhook('Webhook recovered', data),
  'token.created': ({ token }) => describeToken('Token created', token),
  'token.revoked': ({ token, revoked_by }) =>
    describeToken('Token revoked', token, { name: 'Revoked by', value: revoked_by ?? 'the command line' }),
  'token.expiring': ({ token, days_left }) =>
    describeToken(`Token expires in ${days_left === 1 ? '1 day' : `${days_left} days`}`, token),
  'import.finished': ({ import: { id, status, created, updated, skipped, failed } }) => ({
    title: `Import ${status}`,
    url: null,
    facts: [
      { name: 'Import', value: id },
      {
        name: 'Links',
        value: `${created} created, ${updated} updated, ${skipped} skipped, ${failed} failed`,
      },
    ],
  }),
}

export function describeEvent(event: Event): EventMessage {
  const describe = (messages as Record<string, ((data: object) => EventMessage) | undefined>)[event.type]
  return describe ? describe(event.data) : describeOther(event)
}

/** Describes any event by its type and the simple fields of its data. Of objects, only the name is shown. */
export function describeOther({ type, data }: { type: string; data: object }): EventMessage {
  return {
    title: toWords(type),
    url: null,
    facts: Object.entries(data).flatMap(([field, value]) =>
      createFacts(toWords(field), describeField(value)),
    ),
  }
}

function describeWebhook(title: string, { webhook, reason }: EventData['webhook.failing']): EventMessage {
  return {
    title,
    url: null,
    facts: [
      { name: 'Receiver', value: parseUrl(webhook.url)?.host ?? '' },
      ...createFacts('Description', webhook.description),
      { name: 'Webhook', value: webhook.id },
      { name: 'Reason', value: reason },
    ],
  }
}

function describeToken(
  title: string,
  token: EventData['token.created']['token'],
  ...more: Fact[]
): EventMessage {
  return {
    title,
    url: null,
    facts: [
      { name: 'Name', value: token.name },
      { name: 'Token', value: token.id },
      { name: 'Scopes', value: token.scopes.join(', ') },
      ...createFacts('Expires', token.expires_at),
      ...more,
    ],
  }
}

function destination(url: string): Fact {
  return { name: 'Destination', value: url, isUrl: true }
}

function getTitleFacts({ title }: { title: string | null }): Fact[] {
  return createFacts('Title', title)
}

function getTagFacts({ tags }: { tags: string[] }): Fact[] {
  return createFacts('Tags', tags.join(', '))
}

function createFacts(name: string, value: string | null): Fact[] {
  return value === null || value === '' ? [] : [{ name, value }]
}

function show(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(show).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const namingFields = ['name', 'title', 'description', 'slug', 'id'] as const

function describeField(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value !== 'object' || Array.isArray(value)) return show(value)
  const fields = value as Record<string, unknown>
  const [name] = namingFields
    .filter((field) => typeof fields[field] === 'string')
    .map((field) => fields[field])
  return (name as string | undefined) ?? null
}

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

function formatCountry(code: string | null): string | null {
  if (code === null || !/^[A-Z]{2}$/.test(code)) return code
  const name = countryNames.of(code) ?? code
  return name === code ? code : `${name} (${code})`
}

/** Returns `external_id` as `External ID`, and `token.created` as `Token created`. */
function toWords(name: string): string {
  const words = name
    .split(/[._]/)
    .map((word) => (['id', 'url', 'ip'].includes(word) ? word.toUpperCase() : word))
  const text = words.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
