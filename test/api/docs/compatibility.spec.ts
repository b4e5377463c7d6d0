/** The comparison of the OpenAPI document with the last release finds changes that break clients, and no others. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let folder: string
let released: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link-service-compatibility-'))
  released = await readFile('openapi.json', 'utf8')
  await writeFile(join(folder, 'released.json'), released)
})
afterAll(() => rm(folder, { recursive: true }))

/** Compares a changed copy of the document with the original. Returns the changes that break clients. */
async function findBreakingChanges(change: (document: any) => void): Promise<string[]> {
  const document = JSON.parse(released)
  change(document)
  await writeFile(join(folder, 'current.json'), JSON.stringify(document))
  const files = ['released.json', 'current.json'].map((name) => join(folder, name))
  const { status, stderr } = spawnSync(process.execPath, ['scripts/check-compatibility.js', ...files])
  const lines = stderr.toString().trim().split('\n')
  // The last line is the summary.
  const breaks = lines.slice(0, -1)
  expect(status).toBe(breaks.length === 0 ? 0 : 1)
  return breaks
}

const schemas = (document: any) => document.components.schemas

it.each<[what: string, change: (document: any) => void, found: RegExp]>([
  [
    'a removed operation',
    ({ paths }) => delete paths['/v1/links/{id}'].delete,
    /^DELETE \/v1\/links\/\{id\} was removed$/,
  ],
  ['a renamed operation', ({ paths }) => (paths['/v1/links'].get.operationId = 'x'), /no longer listLinks/],
  [
    'a removed status',
    ({ paths }) => delete paths['/v1/links'].post.responses[201],
    /status 201 was removed/,
  ],
  [
    'a removed response field',
    (document) => delete schemas(document).Link.properties.title,
    /title was removed/,
  ],
  [
    'a removed request field',
    (document) => delete schemas(document).CreateLink.properties.title,
    /body\.title was removed/,
  ],
  [
    'a new required request field',
    (document) => schemas(document).CreateLink.required.push('title'),
    /title is now required/,
  ],
  [
    'a response field that may be absent',
    (document) => (schemas(document).Link.required = ['id']),
    /slug may now be absent/,
  ],
  [
    'a removed value of an open enum',
    (document) => schemas(document).EventType['x-extensible-enum'].shift(),
    /no longer has the value/,
  ],
  [
    'a new value of a closed enum',
    (document) => schemas(document).DeliveryStatus.enum.push('lost'),
    /can now be lost/,
  ],
  [
    'another type',
    (document) => (schemas(document).Link.properties.slug.type = 'integer'),
    /slug can now be integer/,
  ],
  [
    'a parameter that is now required',
    ({ paths }) => (paths['/v1/links'].get.parameters[0].required = true),
    /is now required/,
  ],
])('finds %s', async (_, change, found) => {
  expect(await findBreakingChanges(change)).toContainEqual(expect.stringMatching(found))
})

it.each<[what: string, change: (document: any) => void]>([
  ['nothing', () => undefined],
  ['a new operation', ({ paths }) => (paths['/v1/new'] = paths['/v1/links'])],
  [
    'a new response field',
    (document) => {
      schemas(document).Link.properties.color = { type: 'string' }
      schemas(document).Link.required.push('color')
    },
  ],
  [
    'a new optional request field',
    (document) => (schemas(document).CreateLink.properties.color = { type: 'string' }),
  ],
  [
    'a new value of an open enum',
    (document) => schemas(document).EventType['x-extensible-enum'].push('link.archived'),
  ],
  ['a request field of any type', (document) => delete schemas(document).CreateLink.properties.enabled.type],
  ['another description', (document) => (schemas(document).Link.description = 'Other words.')],
])('allows %s', async (_, change) => {
  expect(await findBreakingChanges(change)).toEqual([])
})
