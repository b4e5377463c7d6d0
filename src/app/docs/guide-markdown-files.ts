/**
 * The guides as text for language models: each page as Markdown, the list llms.txt, and all pages in llms-full.txt.
 * docs/.vitepress/config.js uses this module too, so it imports only Node.js and guide-pages.ts.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { isFileLink } from './guide-pages.js'
import type { Guide, GuideGroup, GuidePage } from './guide-pages.js'

const summary =
  'Link Service is a self-hosted link shortener for developers: short links, click counts, scoped API tokens, and signed webhooks, over a JSON API.'

/** Groups whose pages are only about the code. llms.txt lists them as optional, and llms-full.txt omits them. */
const optionalGroups = ['Explanation', 'Contribute']

/** Returns the texts by path on the site. Links between pages point to their Markdown below `base`. */
export async function readMarkdownFiles(
  root: string,
  guide: Guide,
  base: string,
): Promise<Map<string, string>> {
  const markdown = new Map<string, string>()
  for (const page of guide.pages.values()) {
    const text = await readFile(join(root, page.file), 'utf8')
    markdown.set(page.path, resolveLinks(text, page, guide, base))
  }
  const isOptional = ({ title }: GuideGroup) => optionalGroups.includes(title)
  const main = guide.navigation.filter((group) => !isOptional(group))
  const optional = guide.navigation.filter(isOptional)
  const formatPageEntry = ({ title, path }: GuidePage) => {
    const sentence = firstSentence(markdown.get(path)!)
    return `- [${title}](${base}${path})${sentence && `: ${sentence}`}`
  }
  const formatSection = (title: string, groups: readonly GuideGroup[]) =>
    [`## ${title}`, '', ...groups.flatMap(listGroupPages).map(formatPageEntry)].join('\n')
  const list = [
    '# Link Service',
    `> ${summary}`,
    'The API is described by the OpenAPI document at /openapi.json. /openapi/requests.http contains an example of each request. /openapi/links.json and others contain one tag each: links, tokens, webhooks, deliveries, events, clicks, analytics.',
    ...main.map((group) => formatSection(group.title, [group])),
    formatSection('Optional', optional),
  ]
  const full = main
    .flatMap(listGroupPages)
    .map(({ path }) => `<!-- ${base}${path} -->\n\n${markdown.get(path)}`)
  return new Map([
    ...markdown,
    ['llms.txt', `${list.join('\n\n')}\n`],
    ['llms-full.txt', `# Link Service\n\n> ${summary}\n\n${full.join('\n')}`],
  ])
}

function listGroupPages({ pages, groups }: GuideGroup): GuidePage[] {
  return [...pages, ...groups.flatMap(listGroupPages)]
}

function resolveLinks(markdown: string, page: GuidePage, guide: Guide, base: string): string {
  return outsideCode(markdown, (text) =>
    text.replaceAll(/\]\(([^()\s]+)\)/g, (whole, link: string) => {
      const target = isFileLink(link) ? guide.resolveLink(page.file, link) : null
      return target ? `](${base}${target.path}${target.hash})` : whole
    }),
  )
}

/** Replaces the parts of a page that are not code blocks. */
function outsideCode(markdown: string, replace: (text: string) => string): string {
  const parts = markdown.split(/^(```[^]*?^```)/m)
  return parts.map((part) => (part.startsWith('```') ? part : replace(part))).join('')
}

/** Returns the first sentence of a page as plain text, or '' if the page begins with a list, table or code. */
function firstSentence(markdown: string): string {
  const paragraph = markdown.split(/\n{2,}/).find((block) => !/^(?:#|<|>|\s*$)/.test(block)) ?? ''
  if (/^(?:[-*|`!]|\d+\.)/.test(paragraph)) return ''
  const text = paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\s+/g, ' ')
  return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? ''
}
