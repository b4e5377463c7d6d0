/** Renders Markdown for the plain pages of the guide. Raw HTML is shown as text, except pictures, which are left out. */
import { Marked } from 'marked'
import type { Tokens } from 'marked'

import { escapeHtml } from '../../platform/util/plain-text.js'
import { headingId, isFileLink } from './guide-pages.js'

/** Returns the URL of a link to a file, or null if the pages do not contain the file. */
type LinkResolver = (link: string) => string | null

/** The schemes that links may have. `javascript:` would run code. */
const safeLink = /^(?:https?:|mailto:|#)/i

export function renderMarkdown(text: string, resolveFile: LinkResolver): string {
  const resolve = (link: string): string | null =>
    isFileLink(link) ? resolveFile(link) : safeLink.test(link) ? link : null
  const uses = new Map<string, number>()
  /** Returns a unique ID, numbered like the ones on GitHub. */
  const uniqueId = (heading: string): string => {
    const id = headingId(heading)
    const count = uses.get(id) ?? 0
    uses.set(id, count + 1)
    return count === 0 ? id : `${id}-${count}`
  }
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const id = uniqueId(this.parser.parseInline(tokens, this.parser.textRenderer))
        return `<h${depth} id="${escapeHtml(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const content = this.parser.parseInline(tokens)
        const url = resolve(href)
        return url === null ? content : `<a href="${escapeHtml(url)}">${content}</a>`
      },
      code({ text: code }: Tokens.Code) {
        // Focusable, so that keyboard users can scroll a wide block.
        return `<pre tabindex="0"><code>${escapeHtml(code)}\n</code></pre>\n`
      },
      image({ href, text: description }: Tokens.Image) {
        const url = resolve(href)
        const alt = escapeHtml(description)
        return url === null ? alt : `<img src="${escapeHtml(url)}" alt="${alt}">`
      },
      html({ text: html }: Tokens.HTML | Tokens.Tag) {
        return isComment(html) || isPicture(html) ? '' : escapeHtml(html)
      },
    },
  })
  return marked.parse(text, { async: false })
}

/** A `<picture>` selects an image by color scheme. The plain pages leave it out. */
function isPicture(html: string): boolean {
  return /^\s*<picture>[^]*<\/picture>\s*$/.test(html)
}

function isComment(html: string): boolean {
  return /^\s*<!--[^]*-->\s*$/.test(html)
}
