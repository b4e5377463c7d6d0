/** docs/receivers/README.md holds the text of the files beside it, which a system test runs. */
import { readdirSync, readFileSync } from 'node:fs'

const folder = 'docs/receivers'
const page = readFileSync(`${folder}/README.md`, 'utf8')
const snippets = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, , text]) => text)
const files = readdirSync(folder).filter((name) => name.startsWith('receiver.'))

it('is about every file, and has no snippet that is none', () => {
  expect(files).toHaveLength(5)
  expect(snippets).toHaveLength(files.length)
})

it.each(files)('shows %s as it is', (name) => {
  expect(snippets).toContain(readFileSync(`${folder}/${name}`, 'utf8'))
  expect(page).toContain(`](${name})`)
})
