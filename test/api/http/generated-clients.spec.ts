/** The parts of the OpenAPI document that generators of clients in other languages depend on. */
import { Ajv2020 } from 'ajv/dist/2020.js'

import { eventTypes } from '../../../src/events/catalog.js'
import { fieldErrors } from '../../../src/field-errors.js'
import { problems } from '../../../src/problems.js'
import { makeLink } from '../../support/factories/links.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

let service: Service
let document: any
let schemas: any
beforeAll(async () => {
  service = await startService()
  document = (await service.call('GET', '/openapi.json', { token: null })).body
  schemas = document.components.schemas
})
afterAll(() => service.stop())

const collectTags = (paths: object) =>
  new Set(Object.values<any>(paths).flatMap((item) => Object.values<any>(item).flatMap(({ tags }) => tags)))

describe('tags', () => {
  it('differ for API operations and requests to webhooks, because generators write a class for each tag', () => {
    const [ofPaths, ofWebhooks] = [collectTags(document.paths), collectTags(document.webhooks)]
    expect([...ofWebhooks].filter((tag) => ofPaths.has(tag))).toEqual([])
    const declared = document.tags.map(({ name }: { name: string }) => name)
    expect(declared).toEqual(expect.arrayContaining([...ofPaths, ...ofWebhooks]))
  })
})

describe('events', () => {
  it.each(['Event', 'EventWithDeliveries'])('are plain objects in responses: %s', (name) => {
    expect(schemas[name]).toMatchObject({
      type: 'object',
      properties: { data: { type: 'object', additionalProperties: true } },
    })
    for (const keyword of ['allOf', 'anyOf', 'oneOf', 'discriminator'])
      expect(schemas[name]).not.toHaveProperty(keyword)
  })

  it('match the schema of their type', async () => {
    const link = await makeLink(service)
    await service.call('PATCH', `/v1/links/${link.id}`, { body: { title: 'A' } })
    await service.call('DELETE', `/v1/links/${link.id}`)
    const { data } = (await service.call('GET', `/v1/events?link_id=${link.id}`)).body
    expect(data).toHaveLength(3)
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    for (const event of data) {
      const { schema } = document.webhooks[event.type].post.requestBody.content['application/json']
      const validate = ajv.compile({ ...schema, components: document.components })
      expect({ type: event.type, isValid: validate(event) }).toEqual({ type: event.type, isValid: true })
      const one = await service.call('GET', `/v1/events/${event.id}`)
      expect(one.body).toEqual({ ...event, deliveries: [] })
    }
  })
})

describe('open enums', () => {
  it.each([
    ['EventType', eventTypes],
    ['EventSubscription', [...eventTypes, '*']],
    ['ProblemCode', Object.keys(problems)],
    ['FieldErrorCode', Object.keys(fieldErrors)],
  ])('list the known values of %s, and accept any string', (name, values) => {
    expect(schemas[name]).toMatchObject({ type: 'string', 'x-extensible-enum': values })
    expect(schemas[name]).not.toHaveProperty('enum')
    for (const value of values) expect(schemas[name].description).toContain(`\`${value}\``)
  })

  it.each([
    'AttemptErrorClass',
    'AttemptPhase',
    'AuditAction',
    'AuditActorType',
    'AuditObjectType',
    'CanceledReason',
    'DeliverySubjectType',
    'ExplanationReason',
    'ImportFormat',
    'LinkAction',
    'NextAction',
    'Scope',
    'SettingGroup',
    'UnexplainedReason',
    'WorkspaceScope',
  ])('include %s', (name) => {
    expect(schemas[name]).toMatchObject({ type: 'string', 'x-extensible-enum': expect.any(Array) })
    expect(schemas[name]).not.toHaveProperty('enum')
  })

  it.each(['WebhookStatus', 'DeliveryStatus', 'ImportStatus', 'ConflictMode', 'ClickSource'])(
    'do not include %s',
    (name) => {
      expect(schemas[name]).toMatchObject({ type: 'string', enum: expect.any(Array) })
    },
  )

  it.each(['Webhook', 'CreateWebhook', 'UpdateWebhook'])('are the type of the events in %s', (name) => {
    expect(schemas[name].properties.events.items).toEqual({ $ref: '#/components/schemas/EventSubscription' })
  })
})

it.each([
  ['ClickCounts', 'total'],
  ['AnalyticsCounts', 'clicks'],
  ['AnalyticsCounts', 'visitors'],
  ['Webhook', 'pending'],
  ['WebhookStats', 'attempts'],
  ['Delivery', 'sequence'],
  ['Import', 'bytes'],
  ['Replay', 'deliveries'],
  ['Tag', 'links'],
])('uses 64 bits for counts that grow: %s.%s', (name, field) => {
  expect(schemas[name].properties[field].format).toBe('int64')
})

describe('request schemas', () => {
  const refsIn = (value: unknown) =>
    [...JSON.stringify(value ?? null).matchAll(/schemas\/(\w+)"/g)].map(([, name]) => name!)

  function reachable(values: unknown[]): Set<string> {
    const names = new Set<string>()
    const visit = (value: unknown) => {
      for (const name of refsIn(value)) {
        if (names.has(name)) continue
        names.add(name)
        visit(schemas[name])
      }
    }
    values.forEach(visit)
    return names
  }

  it('forbid unknown fields, and response schemas do not', () => {
    const operations = Object.values<any>(document.paths).flatMap((item) => Object.values<any>(item))
    const ofRequests = reachable(operations.map(({ requestBody }) => requestBody))
    const ofResponses = reachable(operations.map(({ responses }) => responses))
    expect([...ofRequests]).toEqual(
      expect.arrayContaining(['CreateLink', 'UpdateLink', 'BulkUpdate', 'CreateWebhook']),
    )
    for (const [name, schema] of Object.entries<any>(schemas)) {
      if (!schema.properties) continue
      const isClosed = schema.additionalProperties === false
      expect({ name, isClosed }).toEqual({ name, isClosed: ofRequests.has(name) && !ofResponses.has(name) })
    }
  })

  it('have the pattern of the ID for each ID in a path', () => {
    for (const [path, item] of Object.entries<any>(document.paths))
      for (const { parameters = [] } of Object.values<any>(item))
        for (const parameter of parameters.filter(({ in: place }: any) => place === 'path'))
          if (parameter.name !== 'external_id') {
            const { pattern, example = parameter.example } = parameter.schema
            expect({ path, pattern }).toEqual({ path, pattern: expect.any(String) })
            expect(example).toMatch(new RegExp(pattern))
          }
  })

  it('accept http URLs of webhooks if the service does', async () => {
    const other = await startService({ env: { WEBHOOK_ALLOW_HTTP: 'true' }, db: service.db })
    const relaxed = (await other.call('GET', '/openapi.json', { token: null })).body.components.schemas
    await other.stop()
    for (const name of ['CreateWebhook', 'UpdateWebhook'])
      for (const [url, strict, open] of [
        ['https://a.example/', true, true],
        ['http://a.example/', false, true],
        ['ftp://a.example/', false, false],
      ] as const) {
        const accepts = (from: any) => new RegExp(from[name].properties.url.pattern).test(url)
        expect({ url, strict: accepts(schemas), open: accepts(relaxed) }).toEqual({ url, strict, open })
      }
  })
})
