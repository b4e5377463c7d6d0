/** The text of a notice: what happened, and the page of the dashboard where its cause can be fixed. */
import type { Event } from '../events/payloads.js'
import type { NoticeType } from '../platform/config/notice-setting.js'
import type { RunningSettings } from '../settings.js'

export interface Notice {
  title: string
  /** One line per event. May contain hostile text. */
  lines: string[]
  /** Number of events without a line. */
  unlisted: number
  /** Null if there is no dashboard. */
  link: string | null
  footer: string
}

/** Maximum number of events that a message lists. */
export const maxListed = 20
const maxNameLength = 100

interface NoticeContext {
  type: NoticeType
  /** The events that are still kept, at most `maxListed`. */
  events: readonly Event[]
  /** Number of events, including those that are not listed. */
  count: number
  workspace: string
  instanceName: string
  /** URL of the dashboard, or null if it is off. */
  dashboard: string | null
}

/** The title for one event, and for several. */
const titles: Readonly<Record<NoticeType, readonly [one: string, many: (count: number) => string]>> = {
  'webhook.failing': ['A webhook is failing', (count) => `${count} webhooks are failing`],
  'webhook.disabled': ['A webhook was disabled', (count) => `${count} webhooks were disabled`],
  'webhook.recovered': ['A webhook has recovered', (count) => `${count} webhooks have recovered`],
  'token.expiring': ['A token expires soon', (count) => `${count} tokens expire soon`],
  'token.created': ['A token was created', (count) => `${count} tokens were created`],
  'token.revoked': ['A token was revoked', (count) => `${count} tokens were revoked`],
  'import.finished': ['An import has ended', (count) => `${count} imports have ended`],
}

export function createNotice({
  type,
  events,
  count,
  workspace,
  instanceName,
  dashboard,
}: NoticeContext): Notice {
  const [one, many] = titles[type]
  return {
    title: count === 1 ? one : many(count),
    lines: events.map(describe),
    unlisted: count - events.length,
    link: dashboard && `${dashboard}${getDashboardPage(type, events)}`,
    footer: `${instanceName}, workspace ${workspace}`,
  }
}

export function createTestNotice(
  options: Pick<NoticeContext, 'workspace' | 'instanceName' | 'dashboard'>,
): Notice {
  return {
    title: 'Test notice',
    lines: ['This is a test. Notices about this workspace are sent here.'],
    unlisted: 0,
    link: options.dashboard,
    footer: `${options.instanceName}, workspace ${options.workspace}`,
  }
}

function describe(event: Event): string {
  switch (event.type as NoticeType) {
    case 'webhook.failing':
    case 'webhook.disabled':
    case 'webhook.recovered': {
      const { webhook, reason } = event.data as Event<'webhook.failing'>['data']
      const next =
        event.type === 'webhook.disabled'
          ? ' Its events are held. Fix the receiver, then resume the webhook.'
          : ''
      return `${formatWebhookName(webhook)}: ${reason}${next}`
    }
    case 'token.expiring': {
      const { token, days_left } = event.data as Event<'token.expiring'>['data']
      const days = days_left === 1 ? '1 day' : `${days_left} days`
      return `${formatTokenName(token)} expires within ${days}, at ${token.expires_at ?? ''}. Rotate it before then.`
    }
    case 'token.created': {
      const { token } = event.data as Event<'token.created'>['data']
      const creator = token.created_by ?? 'the command line'
      return `${formatTokenName(token)} was created by ${creator}. Scopes: ${token.scopes.join(', ')}.`
    }
    case 'token.revoked': {
      const { token, revoked_by } = event.data as Event<'token.revoked'>['data']
      return `${formatTokenName(token)} was revoked by ${revoked_by ?? 'the command line'}.`
    }
    case 'import.finished': {
      const ended = (event.data as Event<'import.finished'>['data']).import
      const how = { finished: 'finished', failed: 'failed', canceled: 'was canceled' }[ended.status]
      const counts = `${ended.created} created, ${ended.updated} updated, ${ended.skipped} skipped, ${ended.failed} failed`
      return `Import ${ended.id} ${how}: ${counts}.${ended.error === null ? '' : ` ${ended.error}`}`
    }
  }
}

/** Only the host, because the rest of the URL can contain credentials. */
function formatWebhookName({ url, description }: Event<'webhook.failing'>['data']['webhook']): string {
  const host = URL.parse(url)?.host ?? ''
  return description === null ? host : `"${shorten(description)}" (${host})`
}

function formatTokenName({ name, prefix, last4 }: Event<'token.created'>['data']['token']): string {
  return `Token "${shorten(name)}" (${prefix}…${last4})`
}

function shorten(text: string): string {
  const line = text.replace(/\s+/gu, ' ')
  return line.length > maxNameLength ? `${line.slice(0, maxNameLength - 1).toWellFormed()}…` : line
}

function getDashboardPage(type: NoticeType, events: readonly Event[]): string {
  if (type.startsWith('token.')) return '/settings/tokens'
  if (type === 'import.finished') return '/links'
  const ids = new Set(events.map(({ data }) => (data as Event<'webhook.failing'>['data']).webhook.id))
  const [only] = ids
  return ids.size === 1 && only !== undefined ? `/webhooks/${only}` : '/webhooks'
}

/** Returns the URL of the dashboard for messages, or null if it is off. */
export function dashboardUrl({ dashboard, publicUrl }: RunningSettings): string | null {
  return dashboard === 'on' ? `${publicUrl}/dashboard` : null
}
