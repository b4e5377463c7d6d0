/** The body of a Discord webhook. https://docs.discord.com/developers/resources/webhook#execute-webhook */
import { toLines } from './lines.js'
import type { Syntax } from './lines.js'
import type { EventMessage } from './event-message.js'

/** Message flag: no previews of the links. */
const suppressEmbeds = 1 << 2

const syntax: Syntax = {
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
    content: toLines(message, syntax),
    // Disables all mentions, including `@everyone`.
    allowed_mentions: { parse: [] },
    flags: suppressEmbeds,
  })
}
