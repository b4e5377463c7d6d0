/** The type of an event, or the action of an audit entry, as a colored badge, and what the list says about an event. */
import { plural } from '../../app/format.js'
import { countryName, getDimensionLabel } from '../../clicks/dimensions.js'
import { Badge } from '../../components/basics.js'
import type { Tone } from '../../components/basics.js'
import { fieldLabels } from '../links/link-fields.js'
import { shortenForDisplay } from '../links/link-columns.js'

const tonesByEnd: Readonly<Record<string, Tone>> = {
  created: 'good',
  recovered: 'good',
  updated: 'accent',
  changed: 'accent',
  rotated: 'accent',
  secret_rotated: 'accent',
  deleted: 'warn',
  revoked: 'warn',
  expiring: 'warn',
  failing: 'bad',
  disabled: 'bad',
  refused: 'bad',
}

export function EventType({ type }: { type: string }) {
  return <Badge tone={tonesByEnd[type.split('.')[1] ?? ''] ?? 'plain'}>{type}</Badge>
}

interface EventData {
  link?: { url: string }
  previous?: Record<string, unknown>
  click?: { bot: boolean; country: string | null; browser: string | null; referrer_host: string | null }
  token?: { scopes: string[] }
  days_left?: number
  import?: { created: number; updated: number; failed: number }
  reason?: string
}

/** Returns the most useful fact of an event in a few words, or '' for an event without one. */
export function describeEvent(type: string, data: object): string {
  const { link, previous, click, token, days_left: days, import: imported, reason } = data as EventData
  if (previous) return `changed ${Object.keys(previous).map(getEventFieldLabel).join(', ')}`
  if (click) return describeClick(click)
  if (link) return shortenForDisplay(link.url)
  if (reason !== undefined) return reason
  if (days !== undefined) return `${plural(days, 'day')} left`
  if (imported) return `${imported.created} new, ${imported.updated} updated, ${imported.failed} failed`
  return type === 'token.created' && token ? plural(token.scopes.length, 'scope') : ''
}

function getEventFieldLabel(name: string): string {
  const labels: Readonly<Record<string, string>> = fieldLabels
  return (labels[name] ?? name.replaceAll('_', ' ')).toLowerCase()
}

function describeClick({ bot, country, browser, referrer_host: referrer }: NonNullable<EventData['click']>) {
  const from = country === null ? null : countryName(country)
  return [bot ? 'bot' : browser, from, getDimensionLabel('referrer_host', referrer)]
    .filter(Boolean)
    .join(', ')
}
