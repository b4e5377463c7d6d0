/** Every way to write, read, record or export links supports every field. */
import { linkFieldNames } from '../../../src/links/link-fields.dto.js'
import { exampleLink } from '../../../src/links/link.dto.js'
import { importFile } from '../../support/factories/imports.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

/** Values of fields whose documented example is the default or will be in the past. */
const ownValues: Record<string, unknown> = {
  url: 'https://target.example/every?a=1',
  note: 'Printed on the flyers.\nAsk Kim before changing it.',
  redirect_status: 308,
  forward_query: true,
  enabled: false,
  expires_at: '2099-01-02T03:04:05.678Z',
}
const fields: Record<string, unknown> = Object.fromEntries(
  linkFieldNames
    .filter((name) => name !== 'external_id')
    .map((name) => [name, ownValues[name] ?? exampleLink[name]]),
)
const bare = { url: 'https://target.example/bare' }
const all = (externalId: string) => ({ ...fields, external_id: externalId })

let service: Service
beforeAll(async () => {
  service = await startService({ env: { ROLE: 'all' } })
})
afterAll(() => service.stop())

async function callApi(method: string, path: string, body?: object): Promise<any> {
  const response = await service.call(method, path, body ? { body } : {})
  expect(response.status).toBeLessThan(300)
  return response.body
}

async function stored(externalId: string): Promise<object> {
  const { data } = await callApi('GET', `/v1/links?external_id=${externalId}`)
  expect(data).toHaveLength(1)
  return data[0]
}

it('tests every field with a value other than the default', async () => {
  const link = await callApi('POST', '/v1/links', bare)
  for (const [name, value] of Object.entries(fields))
    expect({ [name]: link[name] }).not.toEqual({ [name]: value })
})

it.each<[string, (id: string) => Promise<unknown>]>([
  ['POST', (id) => callApi('POST', '/v1/links', all(id))],
  [
    'PATCH',
    async (id) => {
      const { id: link } = await callApi('POST', '/v1/links', bare)
      return callApi('PATCH', `/v1/links/${link}`, all(id))
    },
  ],
  ['PUT of a new link', (id) => callApi('PUT', `/v1/links/by-external-id/${id}`, fields)],
  [
    'PUT of an existing link',
    async (id) => {
      await callApi('PUT', `/v1/links/by-external-id/${id}`, bare)
      return callApi('PUT', `/v1/links/by-external-id/${id}`, fields)
    },
  ],
  ['bulk creation', (id) => callApi('POST', '/v1/links/bulk', { links: [all(id)] })],
  [
    'bulk creation with an existing link',
    async (id) => {
      await callApi('PUT', `/v1/links/by-external-id/${id}`, bare)
      return callApi('POST', '/v1/links/bulk', { links: [all(id)], on_conflict: 'update' })
    },
  ],
  [
    'an import of NDJSON',
    (id) => importFile(service, JSON.stringify(all(id)), {}, { type: 'application/x-ndjson' }),
  ],
])('%s sets every field', async (name, write) => {
  const id = name.toLowerCase().replace(/[^a-z]+/g, '-')
  await write(id)
  expect(await stored(id)).toMatchObject(all(id))
})

it.each([
  ['csv', 'text/csv'],
  ['ndjson', 'application/x-ndjson'],
])('an export as %s contains every field and can be imported', async (format, type) => {
  const first = await callApi('POST', '/v1/links', { ...all(`${format}-out`), tags: [format] })
  const { text } = await service.call('GET', `/v1/links/export?format=${format}&tag=${format}`)
  const slug = `again-${format}`
  const again = text.replaceAll(first.slug, slug).replaceAll(`${format}-out`, `${format}-in`)
  expect(await importFile(service, again, {}, { type })).toMatchObject({ created: 1, failed: 0 })
  expect(await stored(`${format}-in`)).toMatchObject({ ...all(`${format}-in`), tags: [format], slug })
})

it('events contain every field, and the previous value of every changed field', async () => {
  const before = await callApi('POST', '/v1/links', bare)
  const after = await callApi('PATCH', `/v1/links/${before.id}`, all('recorded'))
  const events = await callApi('GET', `/v1/events?link_id=${before.id}`)
  const [updated, created] = events.data
  expect(created.data).toEqual({ link: before })
  expect(updated.data.link).toEqual(after)
  expect(updated.data.previous).toEqual(
    Object.fromEntries(linkFieldNames.map((name) => [name, before[name]])),
  )
})

it('the history names every changed field', async () => {
  const { id } = await callApi('POST', '/v1/links', bare)
  await callApi('PATCH', `/v1/links/${id}`, all('history'))
  const { data } = await callApi('GET', `/v1/links/${id}/history`)
  expect(data[0].fields).toEqual(linkFieldNames)
})
