/** A process that is started as docs/tracing.md describes exports the traces of clicks and API calls. */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { logFields } from '../../../src/platform/util/log-fields.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { startReceiver } from '../../support/receiver.js'
import type { Receiver } from '../../support/receiver.js'
import { call, encryptionKey, pepper } from '../../support/service.js'
import { startTraceCollector } from '../../support/trace-collector.js'
import type { ExportedSpan, TraceCollector } from '../../support/trace-collector.js'
import { waitFor } from '../../support/wait-for.js'

const page = readFileSync('docs/tracing.md', 'utf8')
const kinds = { internal: 1, server: 2, client: 3, consumer: 5 }
const callerTrace = 'c'.repeat(32)
const strangerTrace = 'd'.repeat(32)
const traceparentIn = (traceId: string) => ({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` })

let folder: string
let db: TestDatabase
let receiver: Receiver
let collector: TraceCollector
let service: ServiceProcess
let slug: string
let logs: Record<string, any>[]
const stops: (() => Promise<unknown>)[] = []

/** Returns the settings that the page exports before it starts the service, with our files and our collector. */
function getPageSettings(): Record<string, string> {
  const [, block = ''] = /```sh\n((?:export .*\n)+)npm start\n```/.exec(page) ?? []
  const settings = Object.fromEntries(
    [...block.matchAll(/^export (\w+)="?(.*?)"?$/gm)].map((line) => line.slice(1)),
  )
  expect(settings).toEqual({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318',
    NODE_OPTIONS: '--import $PWD/tracing/tracing.mjs',
  })
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    NODE_OPTIONS: settings.NODE_OPTIONS!.replace('$PWD/tracing', resolve('docs/samples')),
  }
}

const api = (method: string, path: string, options: object = {}) =>
  call(service.origin, method, path, { token: service.firstToken!, ...options })

const visit = () =>
  fetch(`${service.origin}/${slug}`, { redirect: 'manual', headers: traceparentIn(strangerTrace) })

const findReceived = (type: string) => receiver.received.filter(({ body }) => JSON.parse(body).type === type)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link-service-traced-'))
  stops.push(() => rm(folder, { recursive: true, force: true }))
  db = await createDatabase()
  stops.push(() => db.drop())
  receiver = await startReceiver()
  stops.push(() => receiver.stop())
  collector = await startTraceCollector()
  stops.push(() => collector.stop())
  service = await startProcess({
    ...getPageSettings(),
    ROLE: 'all',
    DATABASE_URL: db.url,
    TOKEN_PEPPER: pepper,
    ENCRYPTION_KEY: encryptionKey,
    DATA_DIR: folder,
    LOG_LEVEL: 'debug',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    WEBHOOK_TRACEPARENT: 'true',
  })
  stops.push(() => service.stop())
  await api('POST', '/v1/webhooks', {
    body: { url: `${receiver.origin}/hook?key=hidden-query`, events: ['link.created', 'click'] },
  })
  const created = await api('POST', '/v1/links', {
    body: { url: 'https://target.example' },
    headers: traceparentIn(callerTrace),
  })
  slug = created.body.slug
  await visit()
  await call(service.origin, 'GET', '/v1/links', { token: null, headers: traceparentIn(strangerTrace) })
  await waitFor(
    'both deliveries',
    () => findReceived('link.created').length + findReceived('click').length === 2,
  )
  // The process exports all spans before it ends.
  expect(await service.stop()).toBe(0)
  logs = service
    .errors()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
}, 90_000)
afterAll(async () => {
  for (const stop of stops.reverse()) await stop()
})

function spansNamed(name: string): ExportedSpan[] {
  return collector.spans.filter((span) => span.name === name)
}

function onlySpan(name: string): ExportedSpan {
  const [span, ...others] = spansNamed(name)
  expect(others).toEqual([])
  expect(span).toBeDefined()
  return span!
}

const toTraceparent = ({ traceId, spanId }: ExportedSpan) => `00-${traceId}-${spanId}-01`

it('quotes the program, and installs the packages that it imports in tested versions', () => {
  const program = readFileSync('docs/samples/tracing.mjs', 'utf8')
  expect(page).toContain(`\`\`\`js\n${program}\`\`\``)
  const imported = [...program.matchAll(/from '(.*)'/g)].map(([, name]) => name)
  const installed = [...page.matchAll(/(@opentelemetry\/[\w-]+)@([\d.]+)/g)]
  expect(installed.map(([, name]) => name).sort()).toEqual(['@opentelemetry/api', ...imported].sort())
  for (const [, name, version] of installed)
    expect(JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version).toMatch(
      new RegExp(`^${version!.replaceAll('.', '\\.')}\\.`),
    )
})

it('puts a click and the attempt that it caused into one new trace', () => {
  const redirect = onlySpan('GET /:slug')
  const attempts = spansNamed('send delivery').filter(({ traceId }) => traceId === redirect.traceId)
  expect(redirect).toMatchObject({
    kind: kinds.server,
    attributes: { 'http.route': '/:slug', 'http.response.status_code': 302 },
  })
  expect(redirect.parentSpanId ?? '').toBe('')
  expect(redirect.traceId).not.toBe(strangerTrace)
  expect(attempts).toEqual([
    expect.objectContaining({
      parentSpanId: redirect.spanId,
      kind: kinds.client,
      attributes: expect.objectContaining({
        'http.request.method': 'POST',
        'http.response.status_code': 200,
        'url.full': `${receiver.origin}/hook`,
      }),
    }),
  ])
  expect(findReceived('click')[0]!.headers['traceparent']).toBe(toTraceparent(attempts[0]!))
})

it('links the batch of clicks to the redirect, and the claim to the cause of the event', () => {
  const redirect = onlySpan('GET /:slug')
  const batch = onlySpan('ingest clicks')
  const link = expect.objectContaining({ traceId: redirect.traceId, spanId: redirect.spanId })
  expect(batch).toMatchObject({
    kind: kinds.consumer,
    links: [link],
    attributes: { 'link_service.clicks': 1 },
  })
  expect(batch.traceId).not.toBe(redirect.traceId)
  expect(spansNamed('fan out events').map(({ parentSpanId }) => parentSpanId)).toContain(batch.spanId)
  expect(spansNamed('claim deliveries').flatMap(({ links }) => links)).toContainEqual(link)
})

it('continues the trace of an authenticated caller up to the receiver', () => {
  const request = onlySpan('POST /api/v1/links')
  expect(request).toMatchObject({
    traceId: callerTrace,
    parentSpanId: '00f067aa0ba902b7',
    kind: kinds.server,
  })
  expect(onlySpan('write links and fan out events')).toMatchObject({
    traceId: callerTrace,
    parentSpanId: request.spanId,
  })
  const attempt = spansNamed('send delivery').find(({ traceId }) => traceId === callerTrace)
  expect(attempt).toMatchObject({ parentSpanId: request.spanId })
  expect(findReceived('link.created')[0]!.headers['traceparent']).toBe(toTraceparent(attempt!))
})

it('does not continue the trace of a rejected caller or a visitor', () => {
  const rejected = onlySpan('GET /api/v1/links')
  expect(rejected.attributes['http.response.status_code']).toBe(401)
  expect(collector.text()).not.toContain(strangerTrace)
})

it('exports no secrets, queries or IP addresses of visitors', () => {
  for (const secret of [service.firstToken!, pepper, encryptionKey, 'hidden-query', '"client.address"'])
    expect(collector.text()).not.toContain(secret)
})

it('shows the header in the recorded attempt', async () => {
  const [{ headers }] = (await db.query(
    `SELECT request_headers AS headers FROM attempts JOIN deliveries ON deliveries.id = delivery_id WHERE event_type = 'click'`,
  )) as [{ headers: string }]
  expect(JSON.parse(headers).traceparent).toBe(findReceived('click')[0]!.headers['traceparent'])
})

it('logs the IDs of the span of a request and of a redirect', () => {
  const request = onlySpan('POST /api/v1/links')
  const redirect = onlySpan('GET /:slug')
  expect(logs).toContainEqual(
    expect.objectContaining({
      msg: 'request',
      request_id: request.attributes['link_service.request_id'],
      trace_id: callerTrace,
      span_id: request.spanId,
    }),
  )
  expect(logs).toContainEqual(
    expect.objectContaining({
      level: 'debug',
      msg: 'redirect',
      slug,
      status: 302,
      request_id: redirect.attributes['link_service.request_id'],
      trace_id: redirect.traceId,
      span_id: redirect.spanId,
      client_ip: '127.0.0.0',
    }),
  )
})

it('logs only declared fields, even at startup and shutdown', () => {
  const fields = new Set(logs.flatMap((line) => Object.keys(line)))
  expect([...fields].filter((name) => !(name in logFields))).toEqual([])
  expect([...fields]).toEqual(expect.arrayContaining(['port', 'role', 'trace_id', 'span_id']))
  expect(service.errors().trim().split('\n')).toHaveLength(logs.length)
})
