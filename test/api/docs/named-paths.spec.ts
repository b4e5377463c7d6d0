/** The pages for people name files, folders and suites of the repository: each of them is there. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const folders = ['bench', 'dashboard', 'docs', 'packages', 'scripts', 'src', 'test']
const files = [
  ...readdirSync('.'),
  ...folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  ),
].filter((name) => !/(?:^|\/)(?:node_modules|dist)(?:\/|$)/.test(name))

/** Decisions and the changelog tell what was, and may name what is gone. */
const pages = files.filter((name) => name.endsWith('.md') && !/CHANGELOG|^docs\/decisions\//.test(name))

/** A file or folder from the root or from the page's folder, or the beginning of the names of some suites. */
const fromRoot = new RegExp(`(?<![\\w./@-])(?:${folders.join('|')})/[\\w./-]*\\w`, 'g')
/** A source by the last parts of its path, as diagrams and tables name it. */
const source = /(?<![\w.@-])(?:[\w-]+\/)*[\w.-]+\.(?:ts|tsx|spec\.ts)\b/g

function namesIn(page: string, pattern: RegExp): string[] {
  return [...new Set(readFileSync(page, 'utf8').match(pattern))]
}

it.each(pages)('%s names nothing that is not there', (page) => {
  const isThere = (name: string) => files.some((file) => file.startsWith(name))
  const roots = namesIn(page, fromRoot).filter(
    (name) => !isThere(name) && !isThere(join(dirname(page), name)),
  )
  const sources = namesIn(page, source).filter(
    (name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)),
  )
  expect([...roots, ...sources]).toEqual([])
})

it('there are such pages, and they name such paths', () => {
  expect(pages).toEqual(expect.arrayContaining(['CONTRIBUTING.md', 'docs/architecture.md']))
  expect(namesIn('CONTRIBUTING.md', fromRoot).length).toBeGreaterThan(50)
  expect(namesIn('docs/architecture.md', source).length).toBeGreaterThan(30)
})
