/** The published schemas and examples match the events that the service creates. */
import { Ajv2020 } from 'ajv/dist/2020.js'

import { eventTypes } from '../../../src/events/catalog.js'
import { makeLink, visit } from '../../support/factories/links.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { waitFor } from '../../support/wait-for.js'
import { makeWebhook } from '../../support/factories/webhooks.js'
import { getEventTypes, readEvents } from '../../support/factories/events.js'

interface Entry {
  name: string
  meaning: string
  schema: { $schema: string; required: string[]; properties: Record<string, unknown> }
  example: { id: string; type: string; timestamp: string; data: any }
}

let service: Service
let entries: Entry[]
beforeAll(async () => {
  service = await shareService()
  entries = (await service.call('GET', '/v1/event-types')).body.data
})
afterAll(() => service.stop())

const ajv = new Ajv2020({ strict: true, validateFormats: false, allErrors: true })
/** Not strict, because the document uses keywords outside JSON Schema, such as `example`. */
const openApi = new Ajv2020({ strict: false, validateFormats: false })
const findEntry = (name: string) => entries.find((entry) => entry.name === name)!

/** Returns null if the data matches the schema without additional fields, and otherwise the errors. */
function findSchemaFaults(name: string, data: unknown): unknown {
  const validate = ajv.compile(closed(findEntry(name).schema) as object)
  return validate(data) ? null : validate.errors
}

/** Forbids additional fields, which published schemas allow for future versions. */
function closed(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map(closed)
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  return inner['type'] === 'object' ? { ...inner, additionalProperties: false } : inner
}

describe('the catalog of event types', () => {
  it('lists all types with meaning, schema and example', async () => {
    const { status, body } = await service.call('GET', '/v1/event-types')
    expect([status, body.has_more, body.next_cursor]).toEqual([200, false, null])
    expect(entries.map(({ name }) => name)).toEqual(eventTypes)
    for (const { meaning, schema, example, name } of entries) {
      expect(meaning).toMatch(/^[A-Z].*\.$/)
      expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
      expect(schema.required).toEqual(Object.keys(schema.properties))
      expect(example.type).toBe(name)
    }
  })

  it('is paginated like other lists', async () => {
    const names: string[] = []
    let cursor = ''
    for (;;) {
      const { body } = await service.call('GET', `/v1/event-types?limit=3${cursor && `&cursor=${cursor}`}`)
      names.push(...body.data.map(({ name }: Entry) => name))
      if (!body.has_more) break
      cursor = body.next_cursor
    }
    expect(names).toEqual(eventTypes)
    expect((await service.call('GET', '/v1/event-types?cursor=x')).status).toBe(400)
    expect((await service.call('GET', '/v1/event-types?x=1')).status).toBe(400)
  })

  it.each(eventTypes)('has an example of %s that matches its schema', (name) => {
    const { example } = findEntry(name)
    expect(findSchemaFaults(name, example.data)).toBeNull()
    expect(example.id).toMatch(/^evt_[0-7][0-9a-z]{25}$/)
    expect(new Date(example.timestamp).toISOString()).toBe(example.timestamp)
  })

  it('has an example of a click whose event has the same ID digits and time', () => {
    const { id, timestamp, data } = findEntry('click').example
    expect([id.slice(4), timestamp]).toEqual([data.click.id.slice(4), data.click.occurred_at])
  })
})

it('creates events that match their schemas', async () => {
  await makeWebhook(service, { events: ['*'] })
  const bare = await makeLink(service)
  const full = await makeLink(service, {
    title: 'T',
    tags: ['a', 'b'],
    external_id: 'e',
    redirect_status: 308,
    forward_query: true,
    expires_at: '2099-01-01T00:00:00Z',
  })
  for (const { slug } of [bare, full]) {
    await visit({ origin: service.origin }, slug, {
      referer: 'https://news.example/today',
      'accept-language': 'de-DE,en;q=0.5',
    })
    await visit({ origin: service.origin }, slug, { 'user-agent': 'curl/8.0' })
  }
  await waitFor(
    'the clicks',
    async () => (await readEvents(service, service.token, '&type=click')).length === 4,
  )
  for (const body of [
    { title: 'U', tags: [], external_id: null },
    { url: 'https://b.example', redirect_status: 301, enabled: false },
    { forward_query: false, expires_at: null },
  ])
    await service.call('PATCH', `/v1/links/${full.id}`, { body })
  await service.call('DELETE', `/v1/links/${full.id}`)
  const { body: token } = await service.call('POST', '/v1/auth/token', { body: { name: 'ci' } })
  await service.call('DELETE', `/v1/auth/token/${token.id}`)

  const events = await readEvents(service)
  for (const { type, data } of events)
    expect({ type, faults: findSchemaFaults(type, data) }).toEqual({ type, faults: null })
  expect(getEventTypes(events).sort()).toEqual([
    ...Array<string>(4).fill('click'),
    'link.created',
    'link.created',
    'link.deleted',
    'link.updated',
    'link.updated',
    'link.updated',
    'token.created',
    'token.revoked',
  ])
})

it('has schemas that reject other data', () => {
  const { data } = findEntry('link.created').example
  for (const wrong of [
    {},
    { link: null },
    { link: { ...data.link, tags: null } },
    { link: { ...data.link, id: 1 } },
  ])
    expect(findSchemaFaults('link.created', wrong)).not.toBeNull()
})

it('describes webhook requests with their headers in the OpenAPI document', async () => {
  const { body: document } = await service.call('GET', '/openapi.json', { token: null })
  expect(Object.keys(document.webhooks)).toEqual(eventTypes)
  for (const [name, { post }] of Object.entries<any>(document.webhooks)) {
    expect(post.parameters.map((parameter: any) => parameter.name)).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
      'webhook-attempt',
      'webhook-sequence',
      'traceparent',
    ])
    const { schema, example } = post.requestBody.content['application/json']
    expect(example).toEqual(findEntry(name).example)
    const validate = openApi.compile({ ...schema, components: document.components })
    expect(validate(example)).toBe(true)
    expect(validate({ ...example, type: 'other' })).toBe(false)
    expect(post.operationId).toMatch(/^on[A-Z][A-Za-z]+$/)
    expect(post.summary).toBe(findEntry(name).meaning)
    expect(Object.keys(post.responses)).toEqual(['2XX'])
  }
})

it('uses the schemas of responses in the schemas of events', async () => {
  const { body: document } = await service.call('GET', '/openapi.json', { token: null })
  const { schemas } = document.components
  const named = (name: string) => schemas[name].properties
  expect(named('LinkCreatedEvent').data).toEqual({ $ref: '#/components/schemas/LinkEventData' })
  expect(named('LinkEventData').link).toEqual({ $ref: '#/components/schemas/Link' })
  for (const [type, field, name] of [
    ['link.created', 'link', 'Link'],
    ['click', 'click', 'Click'],
    ['token.created', 'token', 'Token'],
    ['import.finished', 'import', 'Import'],
  ] as const) {
    const sent = findEntry(type).schema.properties[field] as { required: string[] }
    expect([...sent.required].sort()).toEqual([...schemas[name].required].sort())
  }
})
