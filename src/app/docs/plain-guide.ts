/** The guides as plain pages, which are rendered from the Markdown files when the site is not built. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { escapeHtml } from '../../platform/util/escape-html.js'
import { createGuideFile, guidePath } from './guide-files.js'
import type { GuideFile, GuideFiles } from './guide-files.js'
import { renderMarkdown } from './guide-markdown.js'
import { readMarkdownFiles } from './guide-markdown-files.js'
import { pageUrl, readGuide, sitePathOf } from './guide-pages.js'
import type { Guide, GuideGroup, GuidePage } from './guide-pages.js'

const style = `:root{color-scheme:light dark;--ink:#1c2330;--soft:#5b6472;--line:#dfe3ea;--paper:#fff;--code:#f2f4f7;--accent:#0b5fd0}
@media(prefers-color-scheme:dark){:root{--ink:#e3e7ee;--soft:#9aa4b3;--line:#333b49;--paper:#14181f;--code:#222833;--accent:#7db2ff}}
*{box-sizing:border-box}
body{margin:0;font:16px/1.6 system-ui,sans-serif;color:var(--ink);background:var(--paper);overflow-wrap:break-word}
a{color:var(--accent)}
header{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;padding:.9rem 1.25rem;border-bottom:1px solid var(--line)}
header a{text-decoration:none}header a:first-child{margin-right:auto;font-weight:600;color:var(--ink)}
.columns{display:grid;grid-template-columns:17rem minmax(0,46rem);gap:3rem;max-width:70rem;margin:0 auto;padding:0 1.25rem 3rem}
nav{order:-1;padding-top:1.5rem;font-size:.875rem}
nav h2{margin:1.25rem 0 .3rem;font-size:.875rem}nav h3{margin:.7rem 0 .2rem;font-size:.8rem;font-weight:600;color:var(--soft)}
nav ul{margin:0;padding:0;list-style:none}nav a{display:block;padding:.1rem 0;color:var(--soft);text-decoration:none}
nav a:hover,nav a[aria-current]{color:var(--accent)}nav a[aria-current]{font-weight:600}
h1,h2,h3{line-height:1.25}h1{margin-top:1.75rem;font-size:1.9rem}main h2{margin-top:2.25rem;font-size:1.35rem}
code,pre{font:.875em/1.5 ui-monospace,monospace;background:var(--code);border-radius:4px}
code{padding:.1em .3em}pre{padding:.9rem 1rem;overflow-x:auto}pre code{padding:0;font-size:.8125rem}
table{display:block;overflow-x:auto;border-collapse:collapse}th,td{padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
img{max-width:100%}blockquote{margin:0;padding-left:1rem;border-left:3px solid var(--line);color:var(--soft)}
footer{margin-top:3rem;font-size:.875rem;color:var(--soft)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.contents{display:none}
@media(max-width:50rem){.columns{display:block}.contents{display:inline}nav{border-top:1px solid var(--line)}nav a{padding:.35rem 0}}`

const footer =
  '<footer>To add search to these pages, run <code>npm run docs</code> in the folder of the service, then restart the service.</footer>'

/** Returns null without the Markdown files, as in a container image. */
export async function openPlainGuide(root: string): Promise<GuideFiles | null> {
  const guide = await readGuide(root).catch(() => null)
  if (!guide) return null
  const pages = new Map([...guide.pages.values()].map((page) => [pageUrl(page), page]))
  const files = new Map([...guide.files].map((file) => [sitePathOf(file), file]))

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

  /** Reads only names from the lists, so a request cannot name another file. */
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
