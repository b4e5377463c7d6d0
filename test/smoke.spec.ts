import { startService } from './support/service.js'
import type { Service } from './support/service.js'

let service: Service
beforeAll(async () => (service = await startService()))
afterAll(() => service.stop())

it('answers', async () => {
  const made = await service.call('POST', '/v1/auth/token', { body: { name: 'ci', scopes: ['links:read'], expires_in: '30d' } })
  expect(made.status).toBe(201)
  console.log(made.body, [...made.headers])
  expect((await service.call('POST', '/v1/auth/token', { raw: '{"name":"a","x":1,"scopes":[],"expires_in":"30"}' })).body).toMatchObject({ code: 'validation_failed' })
  const bad = await service.call('POST', '/v1/auth/token', { raw: '{"name":"a","__proto__":1,"scopes":[],"expires_in":"30"}' })
  console.log(bad.body)
  console.log((await service.call('GET', '/v1/auth/tokens?limit=1')).body, (await service.call('PUT', '/v1/auth/tokens?limit=1')).body, (await service.call('GET', '/v1/auth/token/%zz')).body, (await service.call('GET', '/v1/audit-log')).body)
})
