/** Names and lists that look odd and are right. */
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

let service: Service
beforeAll(async () => (service = await startService()))
afterAll(() => service.stop())

it.each([
  'a',
  'a'.repeat(100),
  '\u{1F511}'.repeat(100),
  'é'.repeat(100),
  "Robert'); DROP TABLE tokens;--",
  '<script>alert(1)</script>',
  '__proto__',
  'null',
  '\u202eabc',
  ' a ',
])('the name %j is kept as it is', async (name) => {
  const made = await service.call('POST', '/v1/auth/token', { body: { name } })
  expect(made.status).toBe(201)
  expect(made.body.name).toBe(name)
  const read = await service.call('GET', `/v1/auth/token/${made.body.id}`)
  expect(read.body.name).toBe(name)
})

it('10,000 repetitions of a scope fold into one', async () => {
  const { status, body } = await service.call('POST', '/v1/auth/token', {
    body: { name: 'a', scopes: Array(10_000).fill('links:read') },
  })
  expect(status).toBe(201)
  expect(body.scopes).toEqual(['links:read'])
})
