/** Links between pages lead to existing files and headings, and no page is long. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

const maxWords = 1200
/** Generated pages list everything. */
const generated = [
  'docs/command-line.md',
  'docs/errors.md',
  'docs/events.md',
  'docs/metrics.md',
  'docs/settings.md',
]

const pages = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...['docs', 'clients', 'dashboard', 'bench', 'src'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  ),
].filter((name) => name.endsWith('.md') && !name.includes('node_modules') && !name.includes('/dist/'))

const withoutCode = (text: string) => text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, 'x')

/** Returns the anchors of the headings as GitHub creates them. */
function listAnchors(page: string): string[] {
  const text = readFileSync(page, 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '')
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  )
}

it.each(pages)('%s links to existing files and headings', (page) => {
  const text = withoutCode(readFileSync(page, 'utf8'))
  const broken = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^(?:[a-z]+:|\/)/.test(target))
    .filter((target) => {
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? page : join(dirname(page), path)
      if (!existsSync(file)) return true
      return anchor !== undefined && statSync(file).isFile() && !listAnchors(file).includes(anchor)
    })
  expect(broken).toEqual([])
})

it.each(pages.filter((page) => /^docs\/(?!decisions)/.test(page) && !generated.includes(page)))(
  '%s has at most 1,200 words',
  (page) => {
    expect(readFileSync(page, 'utf8').split(/\s+/).length).toBeLessThanOrEqual(maxWords)
  },
)
