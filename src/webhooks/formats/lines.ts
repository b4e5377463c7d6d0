/** Lays out a message as lines of text, in the syntax of a product. */
import { parseUrl } from '../../platform/util/parse-url.js'
import { plainLine } from '../../platform/util/plain-text.js'
import type { Fact, EventMessage } from './event-message.js'

export interface Syntax {
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

export function toLines({ title, url, facts }: EventMessage, syntax: Syntax): string {
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
