/** Responses about deliveries match the schemas of the OpenAPI document field by field. */
import { Ajv2020 } from 'ajv/dist/2020.js'

import { startService } from '../../support/service.js'
import type { ServiceResponse, Service } from '../../support/service.js'
import { makeDelivery, makeEvent, makeWebhook } from '../../support/factories/deliveries.js'
import { startReceiver } from './receiver.js'
import type { Receiver } from './receiver.js'

let service: Service
let receiver: Receiver
let document: any
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startService({ env: { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' } })
  document = (await service.call('GET', '/openapi.json', { token: null })).body
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})

/** Returns the schema without permission for undocumented fields. */
function strict(schema: any): any {
  if (Array.isArray(schema)) return schema.map(strict)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strict(value)]))
  return copy['properties'] && !copy['additionalProperties'] ? { ...copy, additionalProperties: false } : copy
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
const validators = new Map<string, ReturnType<typeof ajv.compile>>()

function expectDescribed(method: string, path: string, { status, body }: ServiceResponse): void {
  const place = `${method} ${path} ${status}`
  const schema = document.paths[path][method].responses[status].content['application/json'].schema
  const validate =
    validators.get(place) ?? ajv.compile({ ...strict(schema), components: strict(document.components) })
  validators.set(place, validate)
  expect(validate(body) ? [] : validate.errors).toEqual([])
}

const failure = { errorClass: 'timeout', errorMessage: 'x' }

it.each([
  ['pending', []],
  ['failed', [failure, failure]],
  ['succeeded', [failure, { statusCode: 200, body: 'ok' }]],
] as const)('responses about a %s delivery match their schemas', async (status, attempts) => {
  const webhook = await makeWebhook(service, { url: receiver.url })
  const event = await makeEvent(service, webhook)
  const { id } = await makeDelivery(service, webhook, {
    eventId: event.uuid,
    status,
    attempts: [...attempts],
  })
  const at = `/v1/webhooks/${webhook.id}`
  const calls: [method: string, path: string, actual: string, body?: object][] = [
    ['get', '/v1/webhooks/{id}/deliveries', `${at}/deliveries`],
    ['get', '/v1/webhooks/{id}/deliveries/{delivery_id}', `${at}/deliveries/${id}`],
    ['get', '/v1/webhooks/{id}/stats', `${at}/stats`],
    ['get', '/v1/events/{id}/explain', `/v1/events/${event.id}/explain?webhook_id=${webhook.id}`],
    ['get', '/v1/events/{id}/explain', `/v1/events/${event.id}/explain`],
    ['get', '/v1/clicks/{id}/explain', `/v1/clicks/${event.id.replace('evt_', 'clk_')}/explain`],
    ['post', '/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver', `${at}/deliveries/${id}/redeliver`],
    ['post', '/v1/webhooks/{id}/replay', `${at}/replay`, { since: '2026-01-01T00:00:00Z' }],
    ['post', '/v1/webhooks/{id}/test', `${at}/test`],
  ]
  for (const [method, path, actual, body] of calls)
    expectDescribed(method, path, await service.call(method.toUpperCase(), actual, { body }))
})
