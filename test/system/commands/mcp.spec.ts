/** `link-service mcp`, with the client of the MCP SDK. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

import { firefox, visit } from '../../support/factories/links.js'
import { freePort } from '../../support/free-port.js'
import { spawnService, unusedConfigFolder } from '../../support/process.js'
import { startSending } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'
import { waitFor } from '../../support/wait-for.js'

let sending: Sending
const clients: Client[] = []
beforeAll(async () => {
  sending = await startSending(
    ({ path }, response) => void response.writeHead(path === '/failing' ? 500 : 200).end(),
    // The delivery is still being retried when the test asks why it failed.
    { WEBHOOK_RETRY_SCHEDULE: '1h' },
  )
})
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
})
afterAll(() => sending.stop())

const environment = () => ({
  LINK_SERVICE_URL: `${sending.service.origin}/api`,
  LINK_SERVICE_TOKEN: sending.service.token,
})

interface Configuration {
  command: string
  args: string[]
  env: Record<string, string>
  cwd?: string
}

/** Starts the server as an agent does. */
async function start({ env, ...configuration }: Configuration): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const transport = new StdioClientTransport({
    ...configuration,
    env: { PATH: process.env['PATH']!, XDG_CONFIG_HOME: unusedConfigFolder, ...env },
  })
  await client.connect(transport)
  clients.push(client)
  return client
}

function connect(options: string[], token = sending.service.token): Promise<Client> {
  return start({
    command: process.execPath,
    args: ['dist/main.js', 'mcp', ...options],
    env: { ...environment(), LINK_SERVICE_TOKEN: token },
  })
}

async function callTool(client: Client, name: string, args: Record<string, unknown>) {
  const { content, isError = false } = await client.callTool({ name, arguments: args })
  const texts = content.map((each) => ('text' in each ? each.text : ''))
  return { isError, text: texts.join('') }
}

async function read(client: Client, name: string, args: Record<string, unknown> = {}): Promise<any> {
  const { isError, text } = await callTool(client, name, args)
  expect([isError, text]).toEqual([false, text])
  return JSON.parse(text)
}

async function toolNames(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name)
}

it('offers only tools that read data, without --write', async () => {
  const { tools } = await (await connect([])).listTools()
  const names = tools.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['listLinks', 'getLink', 'getAnalytics', 'explainEvent']))
  expect(names).not.toContain('createLink')
  for (const { name, annotations } of tools)
    expect([name, annotations]).toEqual([name, { readOnlyHint: true }])
})

it('offers only what the scopes of the token permit', async () => {
  const { token } = await sending.service.mint('links:read')
  const names = await toolNames(await connect(['--write'], token))
  expect(names).toContain('listLinks')
  expect(names).not.toContain('createLink')
  expect(names).not.toContain('listWebhooks')
})

it('creates a link, reads its clicks, and finds out why a webhook failed', async () => {
  const client = await connect(['--write'])
  const webhook = await read(client, 'createWebhook', {
    body: { url: `${sending.receiver.origin}/failing`, events: ['link.created'] },
  })
  const link = await read(client, 'createLink', { body: { url: 'https://example.com/agent', slug: 'agent' } })
  expect(link).toMatchObject({ slug: 'agent', url: 'https://example.com/agent' })
  expect(link).not.toHaveProperty('title')

  await visit(sending.service, 'agent', { 'user-agent': firefox })
  const [click] = await waitFor('the click', async () => {
    const { data } = await read(client, 'listLinkClicks', { id: link.id })
    return data.length > 0 && data
  })
  expect(click).toMatchObject({ link_id: link.id, browser: 'Firefox' })

  const { data: events } = await read(client, 'listEvents', { type: 'link.created', link_id: link.id })
  expect(events).toHaveLength(1)
  const explanation = await waitFor('the failed attempt', async () => {
    const found = await read(client, 'explainEvent', { id: events[0].id, webhook_id: webhook.id })
    return found.sentence.includes('500') && found
  })
  expect(explanation).toMatchObject({
    webhook_id: webhook.id,
    reason: 'waiting',
    delivery: { status: 'pending', attempt_count: 1 },
  })
})

it('returns ten items of a list, unless limit is set', async () => {
  const client = await connect([])
  const links = Array.from({ length: 12 }, () => ({ url: 'https://example.com/many', tags: ['many'] }))
  await sending.service.call('POST', '/v1/links/bulk', { body: { links } })
  const page = await read(client, 'listLinks', { tag: 'many' })
  expect([page.data.length, page.has_more]).toEqual([10, true])
  expect((await read(client, 'listLinks', { tag: 'many', limit: 12 })).data).toHaveLength(12)
})

it.each(['mcp.json', 'vscode-mcp.json'])('starts with the configuration %s and a profile', async (name) => {
  const folder = await mkdtemp(join(tmpdir(), 'link-service-mcp-'))
  try {
    const env = { XDG_CONFIG_HOME: folder }
    const { service } = sending
    const url = `${service.origin}/api`
    const login = spawnService(['login', '--profile', 'agent', '--url', url], env, folder, service.token)
    expect([await login.gone, login.errors()]).toEqual([0, ''])
    const { mcpServers, servers = mcpServers } = JSON.parse(await readFile(`docs/samples/${name}`, 'utf8'))
    const { command, args } = servers['link-service']
    const client = await start({
      command,
      args: args.map((arg: string) => arg.replace('/path/to/link-service', process.cwd())),
      env,
      cwd: folder,
    })
    expect(await toolNames(client)).toContain('listLinks')
  } finally {
    await rm(folder, { recursive: true })
  }
})

it('returns errors with the invalid fields', async () => {
  const client = await connect(['--write'])
  const refused = await callTool(client, 'createLink', { body: { url: 'example.com' } })
  expect(refused.isError).toBe(true)
  expect(refused.text).toMatch(/^validation_failed: \/url: Must be a complete URL/)
  const misplaced = await callTool(client, 'listLinks', { slug: 'agent' })
  expect(misplaced).toMatchObject({ isError: true, text: expect.stringMatching(/^invalid_query: .*slug/) })
  const missing = await callTool(client, 'getLink', {})
  expect(missing).toEqual({ isError: true, text: 'getLink needs id as a non-empty string.' })
  const unknown = await callTool(client, 'getLink', { id: 'lnk_01kaj3v9z4f8hva3x7m2c5d6ne' })
  expect(unknown).toMatchObject({ isError: true, text: expect.stringMatching(/^not_found: /) })
})

it('lists the guides as resources', async () => {
  const client = await connect([])
  const { resources } = await client.listResources()
  expect(resources.length).toBeGreaterThan(40)
  const guide = resources.find(({ uri }) => uri.endsWith('/webhook-signatures.md'))!
  const { contents } = await client.readResource({ uri: guide.uri })
  expect((contents[0] as { text: string }).text).toContain('webhook-signature')
})

it('ends with one line if the service rejects the token', async () => {
  const { gone, output, errors } = spawnService(['mcp'], { ...environment(), LINK_SERVICE_TOKEN: 'unknown' })
  expect([await gone, output()]).toEqual([1, ''])
  expect(errors()).toMatch(/^The service rejects the token\. .+\n$/)
})

it('ends with one line if the service cannot be reached', async () => {
  const LINK_SERVICE_URL = `http://127.0.0.1:${await freePort()}/api`
  const { gone, output, errors } = spawnService(['mcp'], { ...environment(), LINK_SERVICE_URL })
  expect([await gone, output()]).toEqual([1, ''])
  expect(errors()).toMatch(/^The service at .+ cannot be reached: .+\n$/)
})

it('ends when the agent closes standard input', async () => {
  const { gone, output, errors } = spawnService(['mcp'], environment())
  expect([await gone, output(), errors()]).toEqual([0, '', ''])
})
