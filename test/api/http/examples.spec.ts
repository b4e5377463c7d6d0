/** The example bodies of the OpenAPI document are accepted, even a second time. */
import { exampleEvent } from '../../../src/events/payloads.js'
import { decodeId, getIdTime } from '../../../src/platform/database/ids.js'
import { makePlaceAt } from '../../support/factories/deliveries.js'
import { makeLink } from '../../support/factories/links.js'
import { makeWebhook } from '../../support/factories/webhooks.js'
import { startReceiver } from '../deliveries/receiver.js'
import type { Receiver } from '../deliveries/receiver.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

let service: Service
let receiver: Receiver
let bodies: { operation: string; method: string; path: string; type: string; value: object }[]

beforeAll(async () => {
  receiver = await startReceiver()
  service = await startService({
    env: { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8', RATE_LIMIT: 'off' },
  })
  const { body: document } = await service.call('GET', '/openapi.json', { token: null })
  bodies = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).flatMap(([method, { operationId, requestBody }]) =>
      Object.entries<any>(requestBody?.content ?? {}).flatMap(([type, { examples }]) =>
        Object.values<any>(examples ?? {}).map(({ value }) => ({
          operation: operationId,
          method,
          path,
          type,
          value,
        })),
      ),
    ),
  )
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})

/** Records the event whose ID the examples contain. */
async function recordExampleEvent(): Promise<void> {
  const event = exampleEvent('click')
  const id = decodeId('evt', event.id)!
  await makePlaceAt(service, getIdTime(id))
  await service.db.query(
    `INSERT INTO events (tx, id, workspace_id, type, link_id, body)
     SELECT pg_current_xact_id()::text::bigint, $1, id, 'click', $2, $3 FROM workspaces LIMIT 1`,
    [id, decodeId('lnk', event.data.link.id), JSON.stringify(event)],
  )
}

async function idFor(path: string): Promise<string> {
  if (path.startsWith('/v1/links/')) return (await makeLink(service)).id
  if (path.startsWith('/v1/webhooks/')) return (await makeWebhook(service, { url: receiver.url })).id
  if (path.startsWith('/v1/workspace/notices/')) {
    const target = { type: 'slack', address: receiver.url }
    return (await service.call('POST', '/v1/workspace/notices', { body: target })).body.id
  }
  return (await service.call('POST', '/v1/auth/token', { body: { name: 'x' } })).body.id
}

it('accepts every example body twice', async () => {
  expect(bodies.length).toBeGreaterThan(15)
  await recordExampleEvent()
  for (const { operation, method, path, type, value } of bodies) {
    const at = path.includes('{id}')
      ? path.replace('{id}', await idFor(path))
      : path.replace('{external_id}', 'campaign-17')
    for (const time of ['first', 'second']) {
      const { status, text } = await service.call(method.toUpperCase(), at, {
        body: value,
        headers: { 'content-type': type },
      })
      expect({ operation, time, value, isDone: status >= 200 && status < 300, text }).toMatchObject({
        isDone: true,
      })
    }
  }
})
