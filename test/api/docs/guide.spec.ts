/** The documentation at /docs/guide: the built site, and plain pages without it. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'

import { serveGuide } from '../../../src/app/docs/serve-guide.js'
import { shareService } from '../../support/shared-service.js'

const outside = 'a file outside the folder'
const attacks = [
  '/docs/guide/../outside.txt',
  '/docs/guide/%2e%2e/outside.txt',
  '/docs/guide/..%2foutside.txt',
  '/docs/guide/..%5coutside.txt',
  '/docs/guide/assets/..%2f..%2f..%2foutside.txt',
  '/docs/guide/%2fetc%2fpasswd',
  '/docs/guide//etc/passwd',
  '/docs/guide/.env',
  '/docs/guide/env',
  '/docs/guide/data/secrets/postgres-password',
]
const hashContent = (content: string) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`

let base: string
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'link-service-guide-'))
})
afterAll(() => rm(base, { recursive: true }))

async function write(name: string, content: string): Promise<void> {
  const file = join(base, name)
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, content)
}

async function serve(root: string, site: string): Promise<FastifyInstance> {
  const server = Fastify()
  serveGuide(server, { root, site })
  await server.listen({ port: 0, host: '127.0.0.1' })
  return server
}

/** Requests the path unchanged. */
async function get(server: FastifyInstance, path: string, headers: Record<string, string> = {}) {
  const { port } = server.server.address() as AddressInfo
  const sent = request({ port, host: '127.0.0.1', path, headers })
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return {
    status: response.statusCode,
    headers: response.headers,
    body: await text(response),
  }
}

describe('the built site', () => {
  let server: FastifyInstance
  beforeAll(async () => {
    await write('outside.txt', outside)
    await write('site/index.html', '<script>start()</script><script src="/a.js"></script><p>Start</p>')
    await write('site/running.html', '<p>Run</p>')
    await write('site/decisions/index.html', '<p>Decisions</p>')
    await write('site/404.html', '<p>Not here</p>')
    await write('site/assets/app.B7x_kQ2a.js', 'console.log(1)')
    await write('site/receivers/receiver.go', 'package main')
    server = await serve(join(base, 'nothing'), join(base, 'site'))
  })
  afterAll(() => server.close())

  it('starts at /docs/guide/', async () => {
    const { status, headers } = await get(server, '/docs/guide')
    expect([status, headers.location]).toEqual([302, '/docs/guide/'])
    expect((await get(server, '/docs/guide/')).body).toContain('Start')
  })

  it('allows exactly the inline scripts of a page', async () => {
    const getContentPolicy = async (path: string) =>
      (await get(server, path)).headers['content-security-policy']
    expect(await getContentPolicy('/docs/guide/')).toBe(
      `default-src 'none'; script-src 'self' ${hashContent('start()')}; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    expect(await getContentPolicy('/docs/guide/running.html')).toContain("script-src 'self';")
  })

  it.each([
    ['/docs/guide/running', '/docs/guide/running.html'],
    ['/docs/guide/decisions', '/docs/guide/decisions/'],
  ])('redirects %s to %s', async (path, target) => {
    const { status, headers } = await get(server, path)
    expect([status, headers.location]).toEqual([302, target])
    expect((await get(server, target)).status).toBe(200)
  })

  it.each([
    ['/docs/guide/running.html', 'text/html; charset=utf-8', 'no-cache'],
    [
      '/docs/guide/assets/app.B7x_kQ2a.js',
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
    ],
    ['/docs/guide/receivers/receiver.go', 'text/plain; charset=utf-8', 'no-cache'],
  ])('serves %s with its type and cache lifetime', async (path, type, caching) => {
    const { headers } = await get(server, path)
    expect(headers).toMatchObject({ 'content-type': type, 'cache-control': caching })
  })

  it('is compressed if accepted, and revalidated with its ETag', async () => {
    const path = '/docs/guide/running.html'
    const { headers } = await get(server, path, { 'accept-encoding': 'br' })
    expect(headers['content-encoding']).toBe('br')
    const { etag } = (await get(server, path)).headers
    const unchanged = await get(server, path, { 'if-none-match': etag! })
    expect([unchanged.status, unchanged.body]).toEqual([304, ''])
  })

  it.each(['/docs/guide/unknown', '/docs/guide/assets/app.old00000.js', ...attacks])(
    'returns its 404 page for %s',
    async (path) => {
      const { status, headers, body } = await get(server, path)
      expect([status, headers['content-type'], body]).toEqual([
        404,
        'text/html; charset=utf-8',
        '<p>Not here</p>',
      ])
    },
  )

  it.each(attacks)('contains no file outside its folder: %s', async (path) => {
    const { status, body } = await get(server, path)
    expect(status).toBe(404)
    expect(body).not.toContain(outside)
  })
})

describe('the plain pages', () => {
  let server: FastifyInstance
  beforeAll(async () => {
    server = await serve('.', join(base, 'nothing'))
  })
  afterAll(() => server.close())

  it('list all pages, in the groups of the site', async () => {
    const { status, body } = await get(server, '/docs/guide/')
    expect(status).toBe(200)
    for (const group of ['Start', 'How-to guides', 'Reference', 'Explanation'])
      expect(body).toContain(`<h2>${group}</h2>`)
    for (const page of ['running.html', 'settings.html', 'events.html', 'errors.html', 'decisions/'])
      expect(body).toContain(`href="/docs/guide/${page}"`)
  })

  it('have working links to other pages and files', async () => {
    const { body } = await get(server, '/docs/guide/upgrading.html')
    expect(body).toContain('href="/docs/guide/CHANGELOG.html"')
    const receivers = await get(server, '/docs/guide/receivers/')
    expect(receivers.body).toContain('href="/docs/guide/receivers/receiver.go"')
    const receiver = await get(server, '/docs/guide/receivers/receiver.go')
    expect([receiver.status, receiver.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
  })

  it('mark the open page in the list', async () => {
    const { body } = await get(server, '/docs/guide/running.html')
    expect(/<a href="([^"]+)" aria-current="page">/.exec(body)?.[1]).toBe('/docs/guide/running.html')
  })

  it('run no scripts, and allow only their own styles', async () => {
    const { headers, body } = await get(server, '/docs/guide/running.html')
    const style = /<style>([^]*?)<\/style>/.exec(body)![1]!
    expect(headers['content-security-policy']).toContain(`style-src 'self' ${hashContent(style)};`)
    expect(body).not.toMatch(/<script|\sstyle=/)
  })

  it.each(['/docs/guide/unknown', ...attacks])('return a 404 for %s', async (path) => {
    const { status, body } = await get(server, path)
    expect(status).toBe(404)
    expect(body).not.toContain('root:')
  })

  it('link from the 404 page to the other pages', async () => {
    const { body } = await get(server, '/docs/guide/unknown')
    expect(body).toContain('Page not found')
    expect(body).toContain('href="/docs/guide/running.html"')
  })
})

it('reads the files again after a failure', async () => {
  const server = await serve(join(base, 'later'), join(base, 'nothing'))
  try {
    const getStatus = async (path: string) => (await get(server, path)).status
    expect(await getStatus('/docs/guide/start.html')).not.toBe(200)
    await write('later/docs/navigation.json', '[{ "title": "Start", "pages": ["docs/start.md"] }]')
    await write('later/docs/start.md', '# Start')
    expect(await getStatus('/docs/guide/start.html')).toBe(200)
    await rm(join(base, 'later/docs/start.md'))
    expect(await getStatus('/llms.txt')).toBe(500)
    await write('later/docs/start.md', '# Start')
    expect(await getStatus('/llms.txt')).toBe(200)
  } finally {
    await server.close()
  }
})

it('serves the guide without a token on a running service', async () => {
  const service = await shareService()
  const { status, text: page, headers } = await service.call('GET', '/docs/guide/', { token: null })
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page).toContain('Link Service')
  expect((await service.call('GET', '/docs/guide/unknown', { token: null })).status).toBe(404)
  await service.stop()
})
