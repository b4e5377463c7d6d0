/** Links between pages of the documentation lead to existing pages, files and headings. */
import { readFile } from 'node:fs/promises'

import { renderMarkdown } from '../../../src/app/docs/guide-markdown.js'
import { pageUrl, readGuide } from '../../../src/app/docs/guide-pages.js'
import type { GuideGroup } from '../../../src/app/docs/guide-pages.js'

const guide = await readGuide('.')
const pages = [...guide.pages.values()]

interface RenderedPage {
  ids: Set<string>
  /** The links to files, as written. */
  links: string[]
}

const rendered = new Map(
  await Promise.all(
    pages.map(async ({ file, path }): Promise<[string, RenderedPage]> => {
      const links: string[] = []
      const html = renderMarkdown(await readFile(file, 'utf8'), (link) => {
        links.push(link)
        return link
      })
      for (const [, hash] of html.matchAll(/href="(#[^"]+)"/g)) links.push(hash!)
      return [path, { links, ids: new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!)) }]
    }),
  ),
)

it.each(pages.map(({ file, path }) => [file, path]))('%s has no dead links', (file, path) => {
  const dead = rendered.get(path)!.links.filter((link) => {
    const target = guide.resolveLink(file, link)
    if (!target) return true
    const id = decodeURIComponent(target.hash.slice(1))
    return target.isPage && id !== '' && !rendered.get(target.path)!.ids.has(id)
  })
  expect(dead).toEqual([])
})

it('lists every page of docs and every named page in the navigation', async () => {
  const list = (groups: readonly GuideGroup[]): string[] =>
    groups.flatMap((group) => [...group.pages.map(({ file }) => file), ...list(group.groups)])
  const listed = list(guide.navigation)
  expect(pages.filter(({ file }) => !listed.includes(file))).toEqual([])
  expect(listed.filter((file, index) => listed.indexOf(file) !== index)).toEqual([])
  const named = (await readFile('docs/navigation.json', 'utf8')).match(/[\w/-]+\.md/g)!
  expect(named.filter((file) => !listed.includes(file))).toEqual([])
})

it('gives every page its own URL and a title', () => {
  expect(new Set(pages.map(pageUrl)).size).toBe(pages.length)
  for (const { file, title } of pages)
    expect({ file, title }).toEqual({ file, title: expect.stringMatching(/^[@A-Z]/) })
})
