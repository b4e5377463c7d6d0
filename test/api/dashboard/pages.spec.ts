/** The headers and files of the dashboard. */
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'

import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'

import type { Branding } from '../../../src/platform/http/branding.js'
import { Problem } from '../../../src/platform/http/problems/problem.js'
import { defaultAccent } from '../../../src/platform/util/colors.js'
import { readPages, servePages } from '../../../src/sessions/dashboard-pages.js'

const script = `console.log(${JSON.stringify('a'.repeat(5_000))})`
const branding: Branding = { name: 'Link Service', accent: defaultAccent, logo: null }
const outside = 'a file outside the folder'
let base: string
let folder: string
let fastify: FastifyInstance
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'link-service-pages-'))
  await writeFile(join(base, 'outside.svg'), outside)
  folder = join(base, 'pages')
  await mkdir(join(folder, 'assets'), { recursive: true })
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><title>Pages</title><meta name="api-path" content="/api" />',
  )
  await writeFile(join(folder, 'icon.svg'), '<svg/>')
  await writeFile(join(folder, 'assets', 'index-B7x_kQ2a.js'), script)
  fastify = await serve(folder)
})
afterAll(async () => {
  await fastify.close()
  await rm(base, { recursive: true })
})

async function serve(from: string, shown = branding): Promise<FastifyInstance> {
  const server = Fastify()
  server.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof Problem ? error.status : 500).send(),
  )
  servePages(server, await readPages(from, { apiPath: '/v', branding: shown }), shown)
  await server.listen({ port: 0, host: '127.0.0.1' })
  return server
}

const get = (url: string, coding = '') => getFrom(fastify, url, coding)

interface RawResponse {
  statusCode: number | undefined
  headers: IncomingHttpHeaders
  body: string
  rawPayload: Buffer
}

/** Requests the path unchanged, and does not decompress the response. */
async function getFrom(server: FastifyInstance, path: string, coding = ''): Promise<RawResponse> {
  const { port } = server.server.address() as AddressInfo
  const sent = request({
    port,
    host: '127.0.0.1',
    path,
    headers: coding ? { 'accept-encoding': coding } : {},
  })
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const rawPayload = await buffer(response)
  return {
    statusCode: response.statusCode,
    headers: response.headers,
    body: rawPayload.toString(),
    rawPayload,
  }
}

it.each(['/dashboard', '/dashboard/', '/dashboard/links/lnk_1', '/dashboard/index.html', '/dashboard/apis'])(
  '%s returns the index, which cannot be cached or framed',
  async (url) => {
    const { statusCode, headers, body } = await get(url)
    expect(statusCode).toBe(200)
    // The page contains the path of the API for programs.
    expect(body).toBe('<!doctype html><title>Pages</title><meta name="api-path" content="/v" />')
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    })
  },
)

it('serves files with a hash in their names as immutable, and compressed if accepted', async () => {
  const url = '/dashboard/assets/index-B7x_kQ2a.js'
  const plain = await get(url)
  expect(plain.body).toBe(script)
  expect(plain.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
  })
  const br = await get(url, 'gzip, deflate, br')
  expect(br.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(br.rawPayload).toString()).toBe(script)
  const gzip = await get(url, 'br;q=0, gzip')
  expect(gzip.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(script)
})

it('serves other files with a cache lifetime of an hour', async () => {
  const { headers } = await get('/dashboard/icon.svg')
  expect(headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'private, max-age=3600' })
})

it.each([
  '/dashboard/assets/index-old00000.js',
  '/dashboard/api/v2/links',
  '/dashboard/api',
  '/dashboard/session',
])('returns 404 for %s', async (url) => {
  expect((await get(url)).statusCode).toBe(404)
})

it.each(['/dashboard/../outside.svg', '/dashboard/%2e%2e/outside.svg', '/dashboard/..%2foutside.svg'])(
  'does not serve files outside the folder: %s',
  async (url) => {
    const { body } = await get(url)
    expect(body).not.toContain(outside)
    expect(body).toBe((await get('/dashboard')).body)
  },
)

it('has at most 120 kB of JavaScript, compressed', async () => {
  const assets = join(import.meta.dirname, '../../../dist/dashboard/assets')
  const scripts = (await readdir(assets)).filter((name) => name.endsWith('.js'))
  const sizes = await Promise.all(
    scripts.map(async (name) => gzipSync(await readFile(join(assets, name))).byteLength),
  )
  const total = sizes.reduce((sum, size) => sum + size, 0)
  expect(total).toBeGreaterThan(0)
  expect(total).toBeLessThanOrEqual(120_000)
})

it('explains how to build the dashboard when it is missing', async () => {
  const empty = await serve(join(folder, 'nothing'))
  const { statusCode, body, headers } = await getFrom(empty, '/dashboard')
  expect(statusCode).toBe(503)
  expect(body).toContain('npm run build')
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  await empty.close()
})
