/** The tutorials and guides quote files that the system tests run, and name only existing settings. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { allSettings } from '../../../src/settings.js'

const read = (name: string) => readFileSync(name, 'utf8')
const pages = [
  ...['docs/tutorials', 'docs/how-to'].flatMap((folder) =>
    readdirSync(folder).map((name) => join(folder, name)),
  ),
  'docs/scaling.md',
  'docs/tracing.md',
]
/** Files that package managers read. Guides link to them or name their contents. */
const manifests = ['package.json', 'package-lock.json', 'requirements.txt', 'go.mod', 'go.sum']
const samples = readdirSync('docs/samples', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((name) => !name.includes('node_modules') && !manifests.some((each) => name.endsWith(`/${each}`)))

const findCodeBlocks = (page: string) =>
  [...read(page).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
  }))
const blocks = pages.flatMap(findCodeBlocks)

/** Returns the cells of a notebook, or the whole file. Black requires two blank lines between some cells. */
function splitSample(sample: string): string[] {
  const [first = '', ...cells] = read(sample).split(/^# %% .*\n/m)
  return (cells.length > 0 ? cells : [first]).map((part) => `${part.trim()}\n`)
}

it.each(samples)('%s is quoted completely', (name) => {
  const missing = splitSample(name).filter((part) => !blocks.some(({ text }) => text === part))
  expect(missing).toEqual([])
})

it.each(pages)('%s quotes only code that is tested', (page) => {
  const parts = samples.flatMap(splitSample)
  const others = findCodeBlocks(page).filter(
    ({ language, text }) => !['sh', 'text', 'sql'].includes(language) && !parts.includes(text),
  )
  expect(others).toEqual([])
})

/** Variables of the samples, of Docker Compose, of the command line and of platforms. */
const otherVariables = [
  'FORMAT',
  'LINK_SERVICE_API',
  'LINK_SERVICE_TOKEN',
  'LINK_SERVICE_URL',
  'NODE_ENV',
  'NODE_EXTRA_CA_CERTS',
  'NODE_OPTIONS',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_SERVICE_NAME',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'POSTGRES_PASSWORD',
  'PUBLISHED_PORT',
  'RAILWAY_RUN_UID',
  'REDIS_PASSWORD',
  'TARGET_URL',
  'WEBHOOK_SECRET',
]

it.each([...pages, ...samples])('%s names only existing settings', (page) => {
  const known = Object.values(allSettings).flatMap(({ name }) => [name, `${name}_FILE`])
  const named = [
    ...read(page).matchAll(/(?:^|[\s`'])([A-Z]+(?:_[A-Z]+)*)(?==\S)|`([A-Z]+(?:_[A-Z]+)+)(?:=[^`]*)?`/gm),
  ].map(([, assigned, quoted]) => assigned ?? quoted!)
  const unknown = named.filter((name) => !known.includes(name) && !otherVariables.includes(name))
  // Variables of shell examples.
  expect(unknown.filter((name) => !['API', 'TOKEN'].includes(name))).toEqual([])
})

it('sets only existing settings on Fly', () => {
  const known = Object.values(allSettings).map(({ name }) => name)
  const [, env = ''] = /^\[env\]\n([\s\S]*?)\n\n/m.exec(read('docs/samples/fly.toml'))!
  const names = env.split('\n').map((line) => line.split(' = ')[0]!)
  expect(names.length).toBeGreaterThan(3)
  expect(names.filter((name) => !known.includes(name))).toEqual([])
})
