/** Calls of the client whose bodies are not JSON: imports, reports, exports and QR codes. */
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { ConnectionError, LinkService, NotFoundError, ValidationError } from '@link-service/client'
import type { ImportFile } from '@link-service/client'

import { respondWith, startRelay } from '../../support/relay.js'
import type { Relay } from '../../support/relay.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

let service: Service
let relay: Relay
let client: LinkService
let relayed: LinkService
beforeAll(async () => {
  service = await startService({ env: { ROLE: 'all' } })
  relay = await startRelay(service.origin)
  client = new LinkService({ baseUrl: `${service.origin}/api`, token: service.token })
  relayed = new LinkService({ baseUrl: `${relay.origin}/api`, token: service.token })
})
afterAll(async () => {
  await relay.stop()
  await service.stop()
})
beforeEach(() => {
  relay.requests.length = 0
})

const url = 'https://target.example/file'
const createCsv = (slug: string) => `url,slug\n${url},${slug}\n`
const ended = (id: string) =>
  waitFor(`the end of ${id}`, async () => {
    const found = await client.imports.get(id)
    return found.finished_at === null ? null : found
  })

describe('an import', () => {
  it.each<[string, (slug: string) => ImportFile]>([
    ['a string', createCsv],
    ['bytes', (slug) => new TextEncoder().encode(createCsv(slug))],
    ['a blob', (slug) => new Blob([JSON.stringify({ url, slug })], { type: 'application/x-ndjson' })],
    ['a stream', (slug) => new Blob([createCsv(slug)]).stream()],
    ['a function', (slug) => () => new Blob([createCsv(slug)]).stream()],
  ])('accepts %s', async (name, createFile) => {
    const slug = name.replace(' ', '-')
    const { id } = await client.imports.create(createFile(slug))
    expect(await ended(id)).toMatchObject({ status: 'finished', created: 1, failed: 0 })
    expect(await client.links.getBySlug(slug)).toMatchObject({ url })
    expect((await client.imports.list().toArray()).map((each) => each.id)).toContain(id)
  })

  it('sends the given content type and query', async () => {
    const file = JSON.stringify({ url, slug: 'dry-run' })
    const options = { type: 'application/x-ndjson' as const }
    const { id } = await client.imports.create(file, { dry_run: true }, options)
    expect(await ended(id)).toMatchObject({ format: 'ndjson', created: 1 })
    await expect(client.links.getBySlug('dry-run')).rejects.toBeInstanceOf(NotFoundError)
  })

  it('runs once when its response is lost, and is not retried with a stream', async () => {
    relay.faults.push('lose the response')
    const { id } = await relayed.imports.create(createCsv('sent-twice'))
    expect(await ended(id)).toMatchObject({ created: 1, failed: 0 })
    const [first, second] = relay.requests.map(({ headers, body }) => [headers['idempotency-key'], body])
    expect(second).toEqual(first)
    relay.faults.push('lose the response')
    const stream = new Blob([createCsv('sent-once')]).stream()
    await expect(relayed.imports.create(stream)).rejects.toBeInstanceOf(ConnectionError)
    expect(relay.requests).toHaveLength(3)
  })

  it('is retried with the same key when a function reopens its stream', async () => {
    relay.faults.push('lose the response')
    const { id } = await relayed.imports.create(() => new Blob([createCsv('opened-twice')]).stream())
    expect(await ended(id)).toMatchObject({ created: 1, failed: 0 })
    const [first, second] = relay.requests.map(({ headers, body }) => [headers['idempotency-key'], body])
    expect(second).toEqual(first)
    expect(first![1]).toBe(createCsv('opened-twice'))
  })

  it('has a report of the failed lines', async () => {
    const { id } = await client.imports.create(`url,slug\n${url},fine\nftp://x,\n`)
    expect(await ended(id)).toMatchObject({ created: 1, failed: 1 })
    const line = JSON.parse(await text(await client.imports.report(id)))
    expect(line).toMatchObject({ line: 3, errors: [{ field: 'url' }] })
    const csv = await text(await client.imports.report(id, { type: 'text/csv' }))
    expect(csv).toMatch(/^line,code,reason,content\r\n3,/)
    await expect(client.imports.report('imp_none')).rejects.toBeInstanceOf(NotFoundError)
  })

  it('without link columns is rejected', async () => {
    await expect(client.imports.create('a,b\n1,2\n')).rejects.toBeInstanceOf(ValidationError)
  })
})

describe('an export', () => {
  it('returns the filtered links in the given format', async () => {
    for (const slug of ['out-1', 'out-2']) await client.links.create({ url, slug, tags: ['out'] })
    const csv = await text(await client.links.export({ tag: 'out' }))
    expect(csv.split('\n')[0]).toMatch(/^url,slug,/)
    const lines = await text(await client.links.export({ tag: 'out', format: 'ndjson' }))
    const slugs = lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).slug]))
    expect(slugs.sort()).toEqual(['out-1', 'out-2'])
  })

  it('is retried before its response begins, and fails like other calls', async () => {
    relay.faults.push(respondWith(503, { code: 'unavailable', detail: 'Not now.' }))
    expect(await text(await relayed.links.export())).toContain(url)
    expect(relay.requests).toHaveLength(2)
    const wrong = relayed.links.export({ format: 'excel' as 'csv' })
    await expect(wrong).rejects.toBeInstanceOf(ValidationError)
  })

  it('rejects an HTML page from a proxy', async () => {
    relay.faults.push(respondWith(200, '<html>', { 'content-type': 'text/html' }))
    const refused = relayed.links.export()
    await expect(refused).rejects.toMatchObject({ code: 'unexpected_answer', status: 200 })
  })
})

describe('a download', () => {
  let responses: ServerResponse[]
  let slow: LinkService
  let stop: () => Promise<unknown>
  beforeAll(async () => {
    const server = createServer((_request, response) => {
      responses.push(response.writeHead(200, { 'content-type': 'text/csv' }))
      response.write('url\n')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    slow = new LinkService({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api` })
    stop = async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    }
  })
  afterAll(() => stop())
  beforeEach(() => {
    responses = []
  })

  it('throws when the connection breaks', async () => {
    const reader = (await slow.links.export()).getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('url\n')
    responses[0]!.destroy()
    await expect(reader.read()).rejects.toBeInstanceOf(ConnectionError)
  })

  it('stops when the signal is aborted, and closes the connection', async () => {
    const controller = new AbortController()
    const reader = (await slow.links.export({}, { signal: controller.signal })).getReader()
    await reader.read()
    const reason = new Error('the page was closed')
    const closed = once(responses[0]!, 'close')
    controller.abort(reason)
    await expect(reader.read()).rejects.toBe(reason)
    await closed
  })

  it('closes the connection when it is canceled', async () => {
    const file = await slow.links.export()
    const closed = once(responses[0]!, 'close')
    await file.cancel()
    await closed
  })
})

it('a QR code is a blob with its content type', async () => {
  const { id } = await client.links.create({ url })
  const svg = await client.links.qr(id)
  expect(svg.type).toMatch(/^image\/svg\+xml/)
  expect(await svg.text()).toContain('<svg')
  const png = await client.links.qr(id, { format: 'png', size: 300 })
  expect(png.type).toBe('image/png')
  expect([...new Uint8Array(await png.slice(1, 4).arrayBuffer())]).toEqual([...Buffer.from('PNG')])
  await expect(client.links.qr('lnk_none')).rejects.toBeInstanceOf(NotFoundError)
})
