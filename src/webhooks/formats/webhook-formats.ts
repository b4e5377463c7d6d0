/** Formats of requests to receivers: events, or messages for a product. */
import type { Event } from '../../events/payloads.js'
import { parseUrl } from '../../platform/util/parse-url.js'
import { toDiscordBody, toSlackBody } from './chat-bodies.js'
import { describeEvent, describeOther } from './event-message.js'
import type { EventMessage } from './event-message.js'

export const webhookFormats = ['standard', 'slack', 'discord'] as const
export type WebhookFormat = (typeof webhookFormats)[number]

const messageBodies: Record<Exclude<WebhookFormat, 'standard'>, (message: EventMessage) => string> = {
  slack: toSlackBody,
  discord: toDiscordBody,
}

/** Returns the body to send for the stored body of an event. The same event gives the same body. */
export function formatBody(format: WebhookFormat, stored: string): string {
  return format === 'standard' ? stored : messageBodies[format](describe(JSON.parse(stored) as Event))
}

/** An event that an older version recorded may lack fields. */
function describe(event: Event): EventMessage {
  try {
    return describeEvent(event)
  } catch {
    return describeOther(event)
  }
}

/** Returns the format that the receiver at a URL accepts, or null if it is not known to accept only one. */
export function findOnlyFormat(url: string): WebhookFormat | null {
  const { hostname, pathname } = parseUrl(url) ?? { hostname: '', pathname: '' }
  if (hostname === 'hooks.slack.com') return 'slack'
  if (!/^(?:(?:canary|ptb)\.)?discord(?:app)?\.com$/.test(hostname)) return null
  return pathname.endsWith('/slack') ? 'slack' : 'discord'
}
