/** Generates unusual and malformed requests from the OpenAPI document and a seed. */
import { readFileSync } from 'node:fs'

import type { Random } from '../../support/random.js'

export interface GeneratedRequest {
  bytes: Buffer
  /** Whether the server may close the connection after this request, or read the next one as part of its body. */
  isLast: boolean
}

export interface Fixtures {
  token: string
  ids: string[]
  slug: string
}

interface Operation {
  responses: Record<string, { content?: Record<string, unknown> }>
}

/** Without live streams, whose responses never end. */
const documented = Object.entries(
  (JSON.parse(readFileSync('openapi.json', 'utf8')) as { paths: Record<string, Record<string, Operation>> })
    .paths,
)
  .filter(([, operations]) => !JSON.stringify(operations).includes('text/event-stream'))
  .map(([path]) => `/api${path}`)
const outside = [
  '/{slug}',
  '/',
  '/healthz',
  '/readyz',
  '/metrics',
  '/docs',
  '/openapi.json',
  '/errors/{code}',
  '/nowhere',
]

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const oddMethods = ['TRACE', 'PROPFIND', 'M-SEARCH', 'BREW', 'get', '', 'G E T', 'CONNECT', 'QUERY', 'PURGE']
const oddSegments = [
  '',
  '',
  '.',
  '..',
  '%2e%2e',
  '%2F',
  '%2f..%2f',
  '%00',
  '%',
  '%zz',
  '%ff',
  '%E2%82%AC',
  '%0d%0ax:y',
  '*',
  ';a=b',
  '\\',
  'null',
  '-1',
  '__proto__',
  'constructor',
  '\xff\xfe',
  'a'.repeat(300),
  'a'.repeat(9_000),
]
const oddValues = [
  ...oddSegments,
  '1e400',
  '0',
  '101',
  '99999999999999999999',
  '2026-13-45',
  'true',
  '[]',
  '{"tx":"x"}',
]
const parameters = [
  'limit',
  'cursor',
  'after',
  'sort',
  'q',
  'tag',
  'status',
  'type',
  'link_id',
  'webhook_id',
  'created_after',
  'created_before',
  'descendants',
  'format',
  'unknown',
  '',
]
const fields = [
  'url',
  'slug',
  'name',
  'title',
  'tags',
  'scopes',
  'events',
  'secret',
  'expires_in',
  'expires_at',
  'enabled',
  'status',
  'since',
  'token',
  '__proto__',
  'constructor',
  '',
]
/** The URLs point to unused ports of this machine, so that no request leaves it. */
const values = [
  'null',
  'true',
  '0',
  '-1',
  '1e400',
  '""',
  '"a"',
  '[]',
  '{}',
  '[null]',
  '["links:read"]',
  '["link.created"]',
  '"https://127.0.0.1:2/target"',
  '"http://localhost:2/"',
  '"\\u0000"',
  '"\\ud800"',
  `"${'x'.repeat(3_000)}"`,
  '"1d"',
  '"9999-12-31T23:59:59.999Z"',
]
const oddBodies = [
  '',
  'null',
  '[]',
  '"text"',
  '{',
  '{"a":',
  '{"a":1}}',
  '\ufeff{}',
  '{"name":"a","name":"b"}',
  '['.repeat(5_000),
  `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`,
  '\xff\xfe\x00',
  'a=b&c=d',
  'x'.repeat(20_000),
]
const contentTypes = [
  'application/json',
  'application/json',
  'application/merge-patch+json',
  'text/plain',
  'application/json; charset=utf-16',
  'text/csv',
  'multipart/form-data',
  ';',
  '',
]
const oddHeaders = [
  'authorization: Bearer',
  'authorization: Bearer lsk_live_wrong',
  'authorization: Basic YTpi',
  `authorization: Bearer ${'a'.repeat(5_000)}`,
  'if-match: "x"',
  'if-match: *',
  'if-match: W/,,"',
  'if-none-match: *',
  'idempotency-key: a',
  'idempotency-key: ',
  `idempotency-key: ${'k'.repeat(300)}`,
  'idempotency-key: \xff',
  'accept: text/html',
  'accept: ;;;',
  'accept-language: \xff;q=x',
  'user-agent: ',
  `user-agent: ${'Mozilla/5.0 ('.repeat(400)}`,
  'referer: http://[::1',
  'referer: \xe4',
  'x-forwarded-for: a, b, ::::',
  'x-request-id: \x7f',
  `x-request-id: ${'i'.repeat(500)}`,
  'sec-purpose: prefetch',
  'origin: null',
  'range: bytes=0-1',
  'cookie: a=b; =; ;',
  'content-encoding: gzip',
  'expect: 100-continue',
  'accept-encoding: ,,',
]
/** After these headers, the server cannot tell where the next request begins. */
const brokenHeaders = [
  ': empty',
  'no colon',
  'x: a\0b',
  'x: a\r\n folded',
  'x y: z',
  'content-length: -1',
  'content-length: ten',
  'content-length: 1, 2',
  'content-length: 5\r\ncontent-length: 6',
  'transfer-encoding: gzip',
  'transfer-encoding: chunked\r\ncontent-length: 3',
  'transfer-encoding: chunked, identity',
  'host: a\r\nhost: b',
  'connection: upgrade\r\nupgrade: h2c',
  `x: ${'a'.repeat(20_000)}`,
]

export function generate(random: Random, fixtures: Fixtures): GeneratedRequest {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const chance = (share: number) => random() < share

  const isOddMethod = chance(0.04)
  const method = isOddMethod ? pick(oddMethods) : pick(methods)
  const path = pathFor(chance, pick, fixtures)
  const query = chance(0.3) ? `?${pick(parameters)}=${pick(oddValues)}` : ''
  const version = chance(0.02) ? pick(['HTTP/1.0', 'HTTP/9.9', 'HTTP/2.0', 'http/1.1', '']) : 'HTTP/1.1'

  // A request that ends the token is sent without it, because the later requests need the token.
  const endsToken = /self|revoke|rotate/.test(path) && !['GET', 'HEAD', 'OPTIONS'].includes(method)
  const lines = [`host: ${chance(0.02) ? pick(['', 'a b', '[', '\xff']) : 'localhost'}`]
  if (!endsToken && chance(0.7)) lines.push(`authorization: Bearer ${fixtures.token}`)
  if (chance(0.4)) lines.push(pick(oddHeaders))
  const isBroken = chance(0.04)
  if (isBroken) lines.push(pick(brokenHeaders))

  const mayHaveBody = !['GET', 'HEAD'].includes(method) || chance(0.05)
  const body = mayHaveBody
    ? Buffer.from(bodyFor(chance, pick), chance(0.5) ? 'utf8' : 'latin1')
    : Buffer.alloc(0)
  const isChunked = body.length > 0 && chance(0.1)
  if (mayHaveBody) lines.push(`content-type: ${pick(contentTypes)}`)
  if (isChunked) lines.push('transfer-encoding: chunked')
  else if (body.length > 0) lines.push(`content-length: ${body.length}`)
  const isLast = isBroken || isOddMethod || version !== 'HTTP/1.1' || chance(0.15)
  if (isLast) lines.push('connection: close')

  const head = Buffer.from(`${method} ${path}${query} ${version}\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  const framed = isChunked
    ? Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')])
    : body
  return { bytes: Buffer.concat([head, framed]), isLast }
}

type Chance = (share: number) => boolean
type Pick = <T>(list: readonly T[]) => T

function pathFor(chance: Chance, pick: Pick, { ids, slug }: Fixtures): string {
  const template = chance(0.7) ? pick(documented) : pick(outside)
  let path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (chance(0.4)) return pick(oddSegments)
    return name === 'slug' ? slug : pick(ids)
  })
  if (chance(0.1)) path += '/'
  if (chance(0.05)) path = path.replace('/', '//')
  if (chance(0.05)) path += `/${pick(oddSegments)}`
  if (chance(0.02))
    path = pick(['*', 'http://other.example/healthz', 'http://', 'nowhere', '', '?', '#', '//', '/%2F%2F'])
  return path
}

function bodyFor(chance: Chance, pick: Pick): string {
  if (chance(0.3)) return pick(oddBodies)
  const members = Array.from({ length: 1 + (chance(0.5) ? 2 : 0) }, () => `"${pick(fields)}":${pick(values)}`)
  return `{${members.join(',')}}`
}
