/** The body of a Discord webhook. https://docs.discord.com/developers/resources/webhook#execute-webhook */
import { toLines } from './lines.js'
import type { Syntax } from './lines.js'
import type { EventMessage } from './event-message.js'

/** Message flag: no previews of the links. */
const suppressEmbeds = 1 << 2

const syntax: Syntax = {
  maxLength: 2000,
  // The colon ends links and emoji, and the angle bracket mentions and timestamps.
  escape: (text) => text.replace(/[\\*_~`|<>[\]():@]/g, '\\$&'),
  bold: (escaped) => `**${escaped}**`,
  link: (url) => `<${url}>`,
}

export function toDiscordBody(message: EventMessage): string {
  return JSON.stringify({
    content: toLines(message, syntax),
    // Disables all mentions, including `@everyone`.
    allowed_mentions: { parse: [] },
    flags: suppressEmbeds,
  })
}
