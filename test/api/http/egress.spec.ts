/** The source addresses of deliveries, as users see them. */
import { readFileSync } from 'node:fs'

import { forbiddenNetworks } from '../../../src/platform/outbound/destination.js'
import { readSettings } from '../../../src/platform/config/env.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

let service: Service
const started: Service[] = []
beforeAll(async () => {
  service = await startService()
})
afterAll(async () => {
  for (const other of started) await other.stop()
  await service.stop()
})

async function read(env: Record<string, string>, scopes = 'webhooks:read') {
  const other = await startService({ db: service.db, env })
  started.push(other)
  return (await other.call('GET', '/v1/instance/egress', { token: (await other.mint(scopes)).token })).body
}

it('says that the addresses are unknown', async () => {
  const { token } = await service.mint('webhooks:read')
  const { status, body } = await service.call('GET', '/v1/instance/egress', { token })
  expect(status).toBe(200)
  expect(body).toMatchObject({ addresses: [], source: 'unknown', proxy: null })
  expect(body.message).toContain('Ask the operator to set WEBHOOK_EGRESS_IPS.')
})

it('requires a scope', async () => {
  const { token } = await service.mint('links:read')
  expect((await service.call('GET', '/v1/instance/egress', { token })).status).toBe(403)
})

it('returns the local address', async () => {
  expect(await read({ WEBHOOK_SOURCE_ADDRESS: '127.0.0.9' })).toMatchObject({
    addresses: ['127.0.0.9'],
    source: 'source_address',
    message: expect.stringContaining('NAT'),
  })
})

const proxy = { WEBHOOK_PROXY: 'http://courier:hunter2-hunter2@proxy.example:3128' }

it('shows the host and port of the proxy to operators only, and never the credentials', async () => {
  const hidden = await read({ ...proxy, WEBHOOK_SOURCE_ADDRESS: '127.0.0.9' })
  expect(hidden).toMatchObject({ addresses: [], source: 'unknown', proxy: { host: null, port: null } })
  const shown = await read(proxy, 'webhooks:read,instance:read')
  expect(shown.proxy).toEqual({ host: 'proxy.example', port: 3128 })
  for (const body of [hidden, shown]) expect(JSON.stringify(body)).not.toMatch(/courier|hunter2/)
})

it('returns the configured addresses', async () => {
  const body = await read({ ...proxy, WEBHOOK_EGRESS_IPS: '198.51.100.7, 2001:db8::/64' })
  expect(body).toMatchObject({
    addresses: ['198.51.100.7', '2001:db8::/64'],
    source: 'configured',
    message: 'Deliveries come from 198.51.100.7 and 2001:db8::/64.',
  })
})

it.each([
  ['WEBHOOK_PROXY', 'proxy.example:3128'],
  ['WEBHOOK_PROXY', 'socks5://user:hunter2@proxy.example'],
  ['WEBHOOK_PROXY', 'http://user:hunter2@proxy.example/path'],
  ['WEBHOOK_PROXY', 'http://user:hunter2%ZZ@proxy.example'],
  ['WEBHOOK_SOURCE_ADDRESS', '203.0.113.99'],
  ['WEBHOOK_SOURCE_ADDRESS', '127.0.0.1,127.0.0.2'],
  ['WEBHOOK_SOURCE_ADDRESS', 'eth0'],
  ['WEBHOOK_EGRESS_IPS', 'example.com'],
])('rejects %s=%s, without showing a password', (name, value) => {
  const start = () => readSettings({ [name]: value })
  expect(start).toThrow(name)
  expect(start).not.toThrow('hunter2')
})

it('documents every network that the proxy must block', () => {
  const guide = readFileSync('docs/how-to/egress-proxy.md', 'utf8')
  const [, squid = ''] = /## Squid\n([\s\S]*?)\n## /.exec(guide)!
  const envoy = readFileSync('deploy/envoy/webhook-proxy.yaml', 'utf8').replaceAll("'", '')
  for (const network of forbiddenNetworks) {
    const [address, length] = network.split('/')
    expect(envoy).toContain(`{ address_prefix: ${address}, prefix_len: ${length} }`)
    expect(guide).toContain(`\`${network}\``)
    expect(squid).toContain(` ${network}`)
  }
})
