/** Every field of a link is taken, shown, recorded and exported everywhere. A forgotten field would be lost silently. */
import { linkFieldNames } from '../../../src/links/link-fields.dto.js'
import { exampleLink } from '../../../src/links/link.dto.js'
import { importFile } from '../../support/factories/imports.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

/** The documented example, except where it is the default or will be in the past. */
const differing: Record<string, unknown> = {
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
    .map((name) => [name, differing[name] ?? exampleLink[name]]),
)
const bare = { url: 'https://target.example/bare' }
const all = (externalId: string) => ({ ...fields, external_id: externalId })

let service: Service
beforeAll(async () => {
  service = await startService({ env: { ROLE: 'all' } })
})
afterAll(() => service.stop())

async function answered(method: string, path: string, body?: object): Promise<any> {
  const answer = await service.call(method, path, body ? { body } : {})
  expect(answer.status).toBeLessThan(300)
  return answer.body
}

async function stored(externalId: string): Promise<object> {
  const { data } = await answered('GET', `/v1/links?external_id=${externalId}`)
  expect(data).toHaveLength(1)
  return data[0]
}

it('no field has its default here, so each can be seen to arrive', async () => {
  const link = await answered('POST', '/v1/links', bare)
  for (const [name, value] of Object.entries(fields))
    expect({ [name]: link[name] }).not.toEqual({ [name]: value })
})

it.each<[string, (id: string) => Promise<unknown>]>([
  ['POST', (id) => answered('POST', '/v1/links', all(id))],
  [
    'PATCH',
    async (id) => {
      const { id: link } = await answered('POST', '/v1/links', bare)
      return answered('PATCH', `/v1/links/${link}`, all(id))
    },
  ],
  ['PUT, where there was none', (id) => answered('PUT', `/v1/links/by-external-id/${id}`, fields)],
  [
    'PUT, where there was one',
    async (id) => {
      await answered('PUT', `/v1/links/by-external-id/${id}`, bare)
      return answered('PUT', `/v1/links/by-external-id/${id}`, fields)
    },
  ],
  ['bulk', (id) => answered('POST', '/v1/links/bulk', { links: [all(id)] })],
  [
    'bulk, where there was one',
    async (id) => {
      await answered('PUT', `/v1/links/by-external-id/${id}`, bare)
      return answered('POST', '/v1/links/bulk', { links: [all(id)], on_conflict: 'update' })
    },
  ],
  [
    'an import of NDJSON',
    (id) => importFile(service, JSON.stringify(all(id)), {}, { type: 'application/x-ndjson' }),
  ],
])('%s takes every field', async (way, make) => {
  const id = way.toLowerCase().replace(/[^a-z]+/g, '-')
  await make(id)
  expect(await stored(id)).toMatchObject(all(id))
})

it.each([
  ['csv', 'text/csv'],
  ['ndjson', 'application/x-ndjson'],
])('what is exported as %s has every field, also when it is imported again', async (format, type) => {
  const first = await answered('POST', '/v1/links', { ...all(`${format}-out`), tags: [format] })
  const { text } = await service.call('GET', `/v1/links/export?format=${format}&tag=${format}`)
  const slug = `again-${format}`
  const again = text.replaceAll(first.slug, slug).replaceAll(`${format}-out`, `${format}-in`)
  expect(await importFile(service, again, {}, { type })).toMatchObject({ created: 1, failed: 0 })
  expect(await stored(`${format}-in`)).toMatchObject({ ...all(`${format}-in`), tags: [format], slug })
})

it('events have every field, and the old value of every changed field', async () => {
  const before = await answered('POST', '/v1/links', bare)
  const after = await answered('PATCH', `/v1/links/${before.id}`, all('recorded'))
  const events = await answered('GET', `/v1/events?link_id=${before.id}`)
  const [updated, created] = events.data
  expect(created.data).toEqual({ link: before })
  expect(updated.data.link).toEqual(after)
  expect(updated.data.previous).toEqual(
    Object.fromEntries(linkFieldNames.map((name) => [name, before[name]])),
  )
})

it('the history names every changed field', async () => {
  const { id } = await answered('POST', '/v1/links', bare)
  await answered('PATCH', `/v1/links/${id}`, all('history'))
  const { data } = await answered('GET', `/v1/links/${id}/history`)
  expect(data[0].fields).toEqual(linkFieldNames)
})
