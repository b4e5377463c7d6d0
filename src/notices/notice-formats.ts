/** Formats a notice for Slack, Discord and email. Text from users is escaped, so that it cannot mention or link. */
import { escapeHtml } from '../platform/util/escape-html.js'
import { escapeDiscordText } from '../webhooks/formats/discord.js'
import { escapeSlackText } from '../webhooks/formats/slack.js'
import type { Notice } from './notice-texts.js'

/** Slack accepts 3,000 characters in a block, and Discord 4,096 in a description. */
const maxLength = { slack: 2_800, discord: 3_900 }

export function slackBody({ title, lines, link, footer }: Notice): string {
  const text = cut(lines.map(escapeSlackText), maxLength.slack)
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

export function discordBody({ title, lines, link, footer }: Notice): string {
  const text = cut(lines.map(escapeDiscordText), maxLength.discord)
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

export function mailOf({ title, lines, link, footer }: Notice): {
  subject: string
  text: string
  html: string
} {
  const items = lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('')
  const button = link === null ? '' : `<p><a href="${escapeHtml(link)}">Open the dashboard</a></p>`
  return {
    subject: title,
    text: [...lines, ...(link === null ? [] : [link]), `-- \n${footer}`].join('\n\n'),
    html: `<h2>${escapeHtml(title)}</h2>${items}${button}<p><small>${escapeHtml(footer)}</small></p>`,
  }
}

function cut(lines: readonly string[], length: number): string {
  let text = ''
  for (const [index, line] of lines.entries()) {
    if (text.length + line.length + 1 > length) return `${text}\n${lines.length - index} more.`.trim()
    text += `${index === 0 ? '' : '\n'}${line}`
  }
  return text
}
