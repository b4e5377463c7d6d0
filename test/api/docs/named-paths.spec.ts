/** The files, folders and specs that the documentation names exist. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const folders = ['bench', 'dashboard', 'docs', 'clients', 'scripts', 'src', 'test']
const files = [
  ...readdirSync('.'),
  ...folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  ),
].filter((name) => !/(?:^|\/)(?:node_modules|dist)(?:\/|$)/.test(name))

/** Decisions and the changelog may name files that no longer exist. */
const pages = files.filter((name) => name.endsWith('.md') && !/CHANGELOG|^docs\/decisions\//.test(name))

/** Matches a file or folder relative to the root or the page's folder, or a common prefix of specs. */
const fromRoot = new RegExp(`(?<![\\w./@-])(?:${folders.join('|')})/[\\w./-]*\\w`, 'g')
/** Matches a source file by the last parts of its path, as in diagrams and tables. */
const source = /(?<![\w.@-])(?:[\w-]+\/)*[\w.-]+\.(?:ts|tsx|spec\.ts)\b/g

function namesIn(page: string, pattern: RegExp): string[] {
  return [...new Set(readFileSync(page, 'utf8').match(pattern))]
}

it.each(pages)('%s names only existing paths', (page) => {
  const exists = (name: string) => files.some((file) => file.startsWith(name))
  const roots = namesIn(page, fromRoot).filter((name) => !exists(name) && !exists(join(dirname(page), name)))
  const sources = namesIn(page, source).filter(
    (name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)),
  )
  expect([...roots, ...sources]).toEqual([])
})

it('finds the pages and their paths', () => {
  expect(pages).toEqual(expect.arrayContaining(['CONTRIBUTING.md', 'docs/architecture.md']))
  expect(namesIn('CONTRIBUTING.md', fromRoot).length).toBeGreaterThan(50)
  expect(namesIn('docs/architecture.md', source).length).toBeGreaterThan(30)
})
