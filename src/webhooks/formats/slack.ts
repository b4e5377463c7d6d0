/**
 * The body of a Slack incoming webhook. https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks and
 * https://docs.slack.dev/messaging/formatting-message-text
 */
import { toLines } from './lines.js'
import type { Syntax } from './lines.js'
import type { EventMessage } from './event-message.js'

const syntax: Syntax = {
  // The limit of the text of a section.
  maxLength: 3000,
  escape: escapeSlackText,
  bold: (escaped) => `*${escaped}*`,
  link: (url) => `<${escapeSlackText(url)}>`,
}

/** Slack reads links and mentions only in angle brackets. */
export function escapeSlackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

export function toSlackBody(message: EventMessage): string {
  const text = toLines(message, syntax)
  return JSON.stringify({
    // Shown in notifications. The section replaces it in the channel.
    text,
    // Without `verbatim`, Slack links URLs and names in the text of users.
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }],
    unfurl_links: false,
    unfurl_media: false,
  })
}
