/** Lays out a message as lines of text, in the syntax of a product. */
import { parseUrl } from '../../platform/util/parse-url.js'
import { plainLine } from '../../platform/util/plain-text.js'
import type { EventMessage, Fact } from './event-message.js'

interface Syntax {
  /** Maximum length of the text. */
  maxLength: number
  /** Makes text harmless: it must not link, mention anybody or format. */
  escape: (text: string) => string
  bold: (escaped: string) => string
  /** Returns a link that shows its URL. The URL has no spaces, `<`, `>` or `|`. */
  link: (url: string) => string
}

/** Longer values are cut, so that a message stays readable. */
const maxValueLength = 300
const more = '…'

function toLines({ title, url, facts }: EventMessage, syntax: Syntax): string {
  const { escape, bold } = syntax
  const lines = [
    url === null
      ? bold(escape(shorten(title)))
      : `${bold(escape(shorten(title)))} ${linkOrText(url, syntax)}`,
    ...facts.map((fact) => `${bold(escape(`${fact.name}:`))} ${showFact(fact, syntax)}`),
  ]
  return joinWithin(lines, syntax.maxLength)
}

function showFact({ value, old, isUrl }: Fact, syntax: Syntax): string {
  if (isUrl) return linkOrText(value, syntax)
  if (old === undefined) return syntax.escape(shorten(value))
  const [before, after] = [old, value].map((text) => syntax.escape(shorten(text, maxValueLength / 2)))
  return `${before} → ${after}`
}

function linkOrText(url: string, syntax: Syntax): string {
  // The normalized form has no spaces and no angle brackets.
  const href = parseUrl(url)?.href.replaceAll('|', '%7C')
  return href === undefined || href.length > maxValueLength || /[\s<>]/.test(href)
    ? syntax.escape(shorten(url))
    : syntax.link(href)
}

/** Removes line breaks, which could imitate another line, and cuts the text. */
function shorten(text: string, maxLength = maxValueLength): string {
  const line = plainLine(text.replace(/\s+/g, ' ').trim(), text.length)
  const characters = Array.from(line)
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join('')}${more}`
}

/** Drops the last lines if there is no space for them. */
function joinWithin(lines: readonly string[], maxLength: number): string {
  const text = lines.join('\n')
  if (text.length <= maxLength) return text
  let length = `\n${more}`.length
  const fitting = lines.filter((line, i) => {
    length += line.length + (i === 0 ? 0 : 1)
    return length <= maxLength
  })
  return [...fitting, more].join('\n')
}

/**
 * A Slack incoming webhook: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks and
 * https://docs.slack.dev/messaging/formatting-message-text
 */
const slackSyntax: Syntax = {
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
  const text = toLines(message, slackSyntax)
  return JSON.stringify({
    // Shown in notifications. The section replaces it in the channel.
    text,
    // Without `verbatim`, Slack links URLs and names in the text of users.
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }],
    unfurl_links: false,
    unfurl_media: false,
  })
}

/** Message flag: no previews of the links. */
const suppressEmbeds = 1 << 2

/** A Discord webhook: https://docs.discord.com/developers/resources/webhook#execute-webhook */
const discordSyntax: Syntax = {
  maxLength: 2000,
  escape: escapeDiscordText,
  bold: (escaped) => `**${escaped}**`,
  link: (url) => `<${url}>`,
}

/**
 * Escapes text so that it does not link, mention, list or format. The colon ends links and emoji, and the angle bracket
 * mentions and timestamps.
 */
export function escapeDiscordText(text: string): string {
  return text.replace(/[\\*_~`|<>[\]():@#-]/g, '\\$&')
}

export function toDiscordBody(message: EventMessage): string {
  return JSON.stringify({
    content: toLines(message, discordSyntax),
    // Disables all mentions, including `@everyone`.
    allowed_mentions: { parse: [] },
    flags: suppressEmbeds,
  })
}
