/** The guides as plain pages, which are rendered from the Markdown files when the site is not built. */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { escapeHtml } from '../../platform/util/plain-text.js'
import { createGuideFile, guidePath } from './guide-files.js'
import type { GuideFile, GuideFiles } from './guide-files.js'
import { renderMarkdown } from './guide-markdown.js'
import { readMarkdownFiles } from './guide-markdown-files.js'
import { getSitePath, pageUrl, readGuide } from './guide-pages.js'
import type { Guide, GuideGroup, GuidePage } from './guide-pages.js'

const style = readFileSync(new URL('../../../src/app/docs/page/guide.css', import.meta.url), 'utf8')

const footer =
  '<footer>To add search to these pages, run <code>npm run docs</code> in the folder of the service, then restart the service.</footer>'

/** Returns null without the Markdown files, as in a container image. */
export async function openPlainGuide(root: string): Promise<GuideFiles | null> {
  const guide = await readGuide(root).catch(() => null)
  if (!guide) return null
  const pages = new Map([...guide.pages.values()].map((page) => [pageUrl(page), page]))
  const files = new Map([...guide.files].map((file) => [getSitePath(file), file]))

  let texts: Promise<Map<string, string>> | null = null
  const readTexts = async () => {
    try {
      return await (texts ??= readMarkdownFiles(root, guide, `${guidePath}/`))
    } catch (error) {
      // The next request reads the files again.
      texts = null
      throw error
    }
  }

  /** Reads only files in the lists, so a request cannot read another file. */
  const read = async (name: string): Promise<GuideFile | null> => {
    const page = pages.get(name === 'index.html' ? '' : name)
    if (page) return createGuideFile(name, Buffer.from(await renderPage(root, guide, page)))
    const file = files.get(name)
    if (file !== undefined) {
      const body = await readFile(join(root, file)).catch(() => null)
      return body && createGuideFile(name, body)
    }
    const text = (await readTexts()).get(name)
    return text === undefined ? null : createGuideFile(name, Buffer.from(text))
  }
  return {
    read,
    readNotFound() {
      const content = `<h1>Page not found</h1>\n<p>Choose a page from the list, or go to the <a href="${guidePath}/">start page</a>.</p>\n`
      const html = pageHtml('Page not found', content, guide.navigation, null)
      return Promise.resolve(createGuideFile('404.html', Buffer.from(html)))
    },
    completeName(name) {
      if (pages.has(`${name}.html`)) return `${name}.html`
      return pages.has(`${name}/`) ? `${name}/` : null
    },
  }
}

async function renderPage(root: string, guide: Guide, page: GuidePage): Promise<string> {
  const markdown = await readFile(join(root, page.file), 'utf8')
  const content = renderMarkdown(markdown, (link) => {
    const target = guide.resolveLink(page.file, link)
    if (!target) return null
    return `${guidePath}/${target.isPage ? pageUrl(target) : target.path}${target.hash}`
  })
  return pageHtml(page.title, content, guide.navigation, page)
}

function pageHtml(
  title: string,
  content: string,
  navigation: readonly GuideGroup[],
  current: GuidePage | null,
): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} | Link Service</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body><header><a href="${guidePath}/">Link Service</a><a class="contents" href="#contents">Contents</a><a href="/docs">API reference</a></header>
<div class="columns"><main>
${content}${footer}</main>
<nav id="contents" aria-label="Pages">
${navigation.map((group) => groupHtml(group, 2, current)).join('\n')}
</nav></div></body></html>
`
}

function groupHtml({ title, pages, groups }: GuideGroup, level: number, current: GuidePage | null): string {
  const items = pages.map((page) => {
    const mark = page.file === current?.file ? ' aria-current="page"' : ''
    return `<li><a href="${guidePath}/${pageUrl(page)}"${mark}>${escapeHtml(page.title)}</a></li>`
  })
  const list = items.length > 0 ? `<ul>${items.join('')}</ul>` : ''
  return `<h${level}>${escapeHtml(title)}</h${level}>${list}${groups.map((each) => groupHtml(each, level + 1, current)).join('')}`
}
