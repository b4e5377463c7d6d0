/** QR codes of links, decoded by another library. */
import { inflateSync } from 'node:zlib'

import jsqr from 'jsqr'

import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { makeLink, visit } from '../../support/factories/links.js'

let service: Service
beforeAll(async () => {
  service = await shareService()
})
afterAll(() => service.stop())

const read = jsqr as unknown as typeof jsqr.default
type IsDark = (x: number, y: number) => boolean

/** Decodes a QR code. Large images are sampled, because each module has many pixels. */
function decode(size: number, isDark: IsDark): string | undefined {
  const step = Math.ceil(size / 600)
  const side = Math.ceil(size / step)
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255)
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const at = (y * side + x) * 4
      if (isDark(x * step, y * step)) pixels[at] = pixels[at + 1] = pixels[at + 2] = 0
    }
  return read(pixels, side, side, { inversionAttempts: 'dontInvert' })?.data
}

function decodePng(bytes: Buffer): { size: number; isDark: IsDark } {
  expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at)
    chunks.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  const size = chunks.get('IHDR')!.readUInt32BE(0)
  const rows = inflateSync(chunks.get('IDAT')!)
  const rowBytes = 1 + Math.ceil(size / 8)
  return { size, isDark: (x, y) => (rows[y * rowBytes + 1 + (x >> 3)]! & (0x80 >> (x & 7))) === 0 }
}

/** Renders each module with `scale` pixels per side. */
function renderSvg(text: string, scale = 4): { size: number; isDark: IsDark } {
  const side = Number(/viewBox="0 0 (\d+) \1"/.exec(text)![1])
  const dark = new Set<number>()
  for (const [, x, y, n] of text.matchAll(/M(\d+) (\d+)h(\d+)v1/g))
    for (let i = 0; i < Number(n); i++) dark.add(Number(y) * side + Number(x) + i)
  const at = (pixel: number) => Math.floor(pixel / scale)
  return { size: side * scale, isDark: (x, y) => dark.has(at(y) * side + at(x)) }
}

async function draw(id: string, query: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.origin}/api/v1/links/${id}/qr${query}`, {
    headers: { authorization: `Bearer ${service.token}`, ...headers },
  })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

const options = ['L', 'M', 'Q', 'H'].flatMap((level) =>
  [300, 517, 2048].flatMap((size) => [0, 4].map((margin) => ({ level, size, margin }))),
)

it.each(options)('a PNG contains the short URL: %p', async ({ level, size, margin }) => {
  const link = await makeLink(service)
  const { response, bytes } = await draw(link.id, `?format=png&size=${size}&margin=${margin}&level=${level}`)
  expect(response.headers.get('content-type')).toBe('image/png')
  const image = decodePng(bytes)
  expect(image.size).toBe(size)
  const text = decode(size, image.isDark)
  const { body } = await service.call('GET', `/v1/links/${link.id}`)
  expect(text).toBe(`${body.short_url}?qr=1`)
  expect((await visit(service, new URL(text!).pathname.slice(1) + '?qr=1')).status).toBe(302)
})

it.each(['L', 'M', 'Q', 'H'])('an SVG contains the short URL: level %s', async (level) => {
  const link = await makeLink(service, { slug: `svg-${level}-${'long'.repeat(10)}` })
  const { response, bytes } = await draw(link.id, `?level=${level}&size=700`)
  expect(response.headers.get('content-type')).toMatch(/^image\/svg\+xml/)
  const text = bytes.toString()
  expect(text).toContain('width="700" height="700"')
  const { size, isDark } = renderSvg(text)
  expect(decode(size, isDark)).toContain(`/${link.slug}?qr=1`)
})

it('has an ETag, for which it returns 304', async () => {
  const { id } = await makeLink(service)
  const first = await draw(id, '?format=png')
  const etag = first.response.headers.get('etag')!
  expect(first.response.headers.get('cache-control')).toBe('private, max-age=3600')
  const again = await draw(id, '?format=png', { 'if-none-match': etag })
  expect([again.response.status, again.bytes.length]).toEqual([304, 0])
  for (const name of ['content-type', 'content-length']) expect(again.response.headers.get(name)).toBeNull()
  for (const ifNoneMatch of ['*', `W/${etag}`, `"other", W/${etag}`])
    expect((await draw(id, '?format=png', { 'if-none-match': ifNoneMatch })).response.status).toBe(304)
  expect((await draw(id, '?format=svg', { 'if-none-match': etag })).response.status).toBe(200)
})

it('draws many concurrently, or returns 503 with Retry-After', async () => {
  const { id } = await makeLink(service)
  const all = await Promise.all(
    Array.from({ length: 150 }, (_, i) => draw(id, `?format=png&size=${300 + i}`)),
  )
  for (const [i, { response, bytes }] of all.entries())
    if (response.status === 200) expect(decodePng(bytes).size).toBe(300 + i)
    else expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
  expect(all.filter(({ response }) => response.status === 200).length).toBeGreaterThanOrEqual(64)
})

it.each([
  ['?size=63', 'size'],
  ['?size=2049', 'size'],
  ['?size=1e3', 'size'],
  ['?margin=17', 'margin'],
  ['?level=X', 'level'],
  ['?format=gif', 'format'],
  ['?colour=red', 'colour'],
])('rejects %s', async (query, parameter) => {
  const { id } = await makeLink(service)
  const response = await service.call('GET', `/v1/links/${id}/qr${query}`)
  expect(response).toMatchObject({ status: 400, body: { errors: [{ parameter }] } })
})

it('names the minimum size in the error', async () => {
  const { id } = await makeLink(service, { slug: 'x'.repeat(64) })
  const { body } = await service.call('GET', `/v1/links/${id}/qr?size=64&level=H&margin=16`)
  const minSize = Number(/at least (\d+) pixels/.exec(body.detail)![1])
  expect(minSize).toBeGreaterThan(64)
  expect((await draw(id, `?size=${minSize}&level=H&margin=16`)).response.status).toBe(200)
  expect((await draw(id, `?size=${minSize - 1}&level=H&margin=16`)).response.status).toBe(400)
})

it('returns 404 for an unknown link', async () => {
  expect((await service.call('GET', '/v1/links/lnk_01kaj3v9z4f8hva3x7m2c5d6ne/qr')).status).toBe(404)
})
