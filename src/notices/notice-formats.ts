/** Formats a notice for Slack, Discord and email. Text from users is escaped, so that it cannot mention or link. */
import { escapeHtml } from '../platform/util/plain-text.js'
import { escapeDiscordText, escapeSlackText } from '../webhooks/formats/chat-bodies.js'
import type { Notice } from './notice-texts.js'

/** Slack accepts 3,000 characters in a block, and Discord 4,096 in a description. */
const maxLength = { slack: 2_800, discord: 3_900 }

export function slackBody({ title, lines, unlisted, link, footer }: Notice): string {
  const text = joinLines(lines.map(escapeSlackText), unlisted, maxLength.slack)
  const where = link === null ? '' : `\n<${link}|Open the dashboard>`
  return JSON.stringify({
    text: title,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: title, emoji: false } },
      { type: 'section', text: { type: 'mrkdwn', text: `${text}${where}`, verbatim: true } },
      { type: 'context', elements: [{ type: 'plain_text', text: footer, emoji: false }] },
    ],
    unfurl_links: false,
  })
}

export function discordBody({ title, lines, unlisted, link, footer }: Notice): string {
  const text = joinLines(lines.map(escapeDiscordText), unlisted, maxLength.discord)
  return JSON.stringify({
    embeds: [
      {
        title,
        description: link === null ? text : `${text}\n[Open the dashboard](${link})`,
        footer: { text: footer },
      },
    ],
    allowed_mentions: { parse: [] },
  })
}

export function formatMail({ title, lines, unlisted, link, footer }: Notice): {
  subject: string
  text: string
  html: string
} {
  const shown = [...lines, ...formatUnlisted(unlisted)]
  const items = shown.map((line) => `<p>${escapeHtml(line)}</p>`).join('')
  const button = link === null ? '' : `<p><a href="${escapeHtml(link)}">Open the dashboard</a></p>`
  return {
    subject: title,
    text: [...shown, ...(link === null ? [] : [link]), `-- \n${footer}`].join('\n\n'),
    html: `<h2>${escapeHtml(title)}</h2>${items}${button}<p><small>${escapeHtml(footer)}</small></p>`,
  }
}

/** Joins as many lines as fit. The last line has the number of events that are not listed. */
function joinLines(lines: readonly string[], unlisted: number, limit: number): string {
  const shown: string[] = []
  let length = 0
  for (const line of lines) {
    length += line.length + 1
    if (length > limit) break
    shown.push(line)
  }
  return [...shown, ...formatUnlisted(lines.length - shown.length + unlisted)].join('\n')
}

function formatUnlisted(count: number): string[] {
  return count > 0 ? [`${count} more.`] : []
}
