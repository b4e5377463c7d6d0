import { request } from 'node:http'

import { metricPrefix, metrics } from '../../../src/app/health/metrics/metric-declarations.js'
import type { MetricDeclaration } from '../../../src/app/health/metrics/metric-declarations.js'
import { FeedWatch } from '../../../src/platform/database/feed-watch.js'
import { getWebhookUuid } from '../../support/factories/webhooks.js'
import { describeWithPrometheus, parseMetrics, runPromtool, sumSeries } from '../../support/prometheus.js'
import { createHook, startSending } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'
import { waitFor } from '../../support/wait-for.js'

let sending: Sending
let isReceiverBroken = false
beforeAll(async () => {
  sending = await startSending((_request, response) => {
    response.statusCode = isReceiverBroken ? 500 : 200
    response.end()
  })
})
afterAll(() => sending.stop())

const readText = async () => (await sending.service.call('GET', '/metrics')).text
const read = async () => parseMetrics(await readText())
const sum = async (name: string, labels: Record<string, string> = {}) =>
  sumSeries(await read(), `link_service_${name}`, labels)

async function createLink(): Promise<string> {
  const { body } = await sending.service.call('POST', '/v1/links', {
    body: { url: 'https://target.example' },
  })
  return body.slug
}

function visit(slug: string): Promise<Response> {
  return fetch(`${sending.service.origin}/${slug}`, { redirect: 'manual' })
}

it('reports every declared metric with its type and labels, and no other', async () => {
  await sending.service.app.get(FeedWatch, { strict: false }).checkTransactions()
  const hook = await createHook(sending)
  await visit(await createLink())
  const hasAll = async () =>
    ((await sum('delivery_attempt_duration_seconds_count')) ?? 0) > 0 &&
    ((await sum('click_readable_seconds_count')) ?? 0) > 0
  await waitFor('an attempt and a click', hasAll)

  const text = await readText()
  const types = new Map(
    [...text.matchAll(/^# TYPE link_service_(\w+) (\w+)$/gm)].map(([, name, type]) => [name, type]),
  )
  const declared: [string, MetricDeclaration][] = Object.entries(metrics)
  const expected = declared.filter(([, { from }]) => !['backup', 'proxy'].includes(from))
  expect(Object.fromEntries(types)).toEqual(
    Object.fromEntries(expected.map(([name, { type }]) => [name, type])),
  )
  for (const { name, labels } of parseMetrics(text).filter((each) => each.name.startsWith(metricPrefix))) {
    const base = name.slice(metricPrefix.length)
    const { labels: known = [] } = declared.find(
      ([each]) => each === base || each === base.replace(/_(?:bucket|sum|count)$/, ''),
    )![1]
    expect(Object.keys(labels).filter((label) => label !== 'le')).toEqual(known)
  }
  await sending.service.call('DELETE', `/v1/webhooks/${hook.id}`)
})

describeWithPrometheus('promtool', () => {
  it('finds nothing to improve', async () => {
    expect(runPromtool(['check', 'metrics'], { input: await readText() })).toEqual({ status: 0, output: '' })
  })
})

it('counts requests by route pattern and status class', async () => {
  const labels = { route: '/api/v1/links/:id', method: 'GET', status: '4xx' }
  const before = (await sum('http_request_duration_seconds_count', labels)) ?? 0
  for (const id of ['unknown', 'other']) await sending.service.call('GET', `/v1/links/${id}`)
  expect(await sum('http_request_duration_seconds_count', labels)).toBe(before + 2)
  expect(await sum('http_request_duration_seconds_bucket', { ...labels, le: '+Inf' })).toBe(before + 2)
})

it('adds no series for unknown paths and methods', async () => {
  const countSeries = async () =>
    (await read()).filter(({ name }) => name === 'link_service_http_request_duration_seconds_count').length
  const send = (path: string, method: string) =>
    new Promise((resolve) =>
      request(sending.service.origin + path, { method }, (response) =>
        response.resume().on('end', resolve),
      ).end(),
    )
  for (const method of ['GET', 'POST', 'PURGE', 'SEARCH']) await send('/api/unknown', method)
  const before = await countSeries()
  for (let i = 0; i < 20; i++)
    for (const method of ['GET', 'POST', 'LOCK', 'MKCOL']) await send(`/api/v9/unknown-${i}`, method)
  expect(await countSeries()).toBe(before)
  expect(
    await sum('http_request_duration_seconds_count', { route: 'none', method: 'other' }),
  ).toBeGreaterThan(0)
})

it('counts redirects by result', async () => {
  const slug = await createLink()
  const count = (result: string) => sum('redirect_duration_seconds_count', { result })
  const before = [await count('redirected'), await count('not_found')]
  await visit(slug)
  await visit('no-such-link')
  expect([await count('redirected'), await count('not_found')]).toEqual([before[0]! + 1, before[1]! + 1])
  expect(await count('gone')).toBe(0)
})

it('counts attempts by result and error class, and deliveries and webhooks by status', async () => {
  const [good, bad, paused] = [
    await createHook(sending),
    await createHook(sending, { events: ['link.updated'] }),
    await createHook(sending),
  ]
  const attempts = (result: string, error: string) =>
    sum('delivery_attempt_duration_seconds_count', { result, error })
  const [succeeded = 0, first = 0] = [
    await attempts('succeeded', 'none'),
    await sum('event_first_attempt_seconds_count'),
  ]
  await sending.service.call('PATCH', `/v1/webhooks/${paused.id}`, { body: { status: 'paused' } })
  const { body: link } = await sending.service.call('POST', '/v1/links', {
    body: { url: 'https://target.example' },
  })
  await waitFor('the delivery', async () => (await attempts('succeeded', 'none')) === succeeded + 1)

  isReceiverBroken = true
  await sending.service.call('PATCH', `/v1/links/${link.id}`, { body: { title: 'Changed' } })
  await waitFor('a failed attempt', async () => ((await attempts('failed', 'http_status')) ?? 0) > 0)
  expect(await sum('event_first_attempt_seconds_count')).toBe(first + 2)
  await waitFor('new figures', async () => (await sum('webhooks_failing')) === 1)
  const series = await read()
  const value = (name: string, labels = {}) => sumSeries(series, `link_service_${name}`, labels)
  expect(['active', 'paused', 'disabled'].map((status) => value('webhooks', { status }))).toEqual([2, 1, 0])
  expect(value('pending_deliveries', { status: 'held' })).toBe(1)
  expect([value('workers'), value('database_up'), value('queue_up')]).toEqual([1, 1, 1])
  isReceiverBroken = false
  for (const { id } of [good, bad, paused]) await sending.service.call('DELETE', `/v1/webhooks/${id}`)
})

it('reports due deliveries and how long the oldest has been waiting', async () => {
  const { service } = sending
  const hook = await createHook(sending)
  await waitFor('no due delivery', async () => (await sum('oldest_due_delivery_seconds')) === 0)
  // Another live worker holds the lane and does not send.
  await service.db.query(
    `WITH other AS (
       INSERT INTO workers (id, alive_until) VALUES (gen_random_uuid(), now() + interval '1 h') RETURNING id
     )
     UPDATE lanes SET holder = other.id FROM other WHERE webhook_id = $1`,
    [getWebhookUuid(hook)],
  )
  await createLink()
  await service.db.query(
    `UPDATE deliveries SET next_attempt_at = now() - interval '10 min' WHERE webhook_id = $1`,
    [getWebhookUuid(hook)],
  )
  await waitFor('the age', async () => ((await sum('oldest_due_delivery_seconds')) ?? 0) >= 600)
  expect(await sum('due_deliveries')).toBe(1)
  expect(await sum('pending_deliveries', { status: 'pending' })).toBe(1)
  await service.db.query('UPDATE lanes SET holder = NULL WHERE webhook_id = $1', [getWebhookUuid(hook)])
  await service.db.query(`DELETE FROM workers WHERE alive_until > now() + interval '30 min'`)
  await waitFor('the delivery', async () => (await sum('due_deliveries')) === 0)
})

it('reports the age and the pause of deliveries while the counts of webhooks are slow', async () => {
  const { service } = sending
  await service.db.query('BEGIN')
  await service.db.query('LOCK TABLE uncounted_deliveries IN ACCESS EXCLUSIVE MODE')
  await waitFor('the slow statement', async () => (await sum('webhooks')) === undefined)
  const series = await read()
  for (const name of ['oldest_due_delivery_seconds', 'deliveries_paused'])
    expect(sumSeries(series, `link_service_${name}`)).toBe(0)
  await service.db.query('ROLLBACK')
  await waitFor('the figures', async () => (await sum('webhooks')) !== undefined)
})

it('drops the gauges of the database while it does not respond', async () => {
  const { service } = sending
  // The statements for the metrics wait for this lock until they time out.
  await service.db.query('BEGIN')
  await service.db.query('LOCK TABLE workers IN ACCESS EXCLUSIVE MODE')
  await waitFor('the outage', async () => (await sum('database_up')) === 0)
  const startedAt = performance.now()
  const series = await read()
  expect(performance.now() - startedAt).toBeLessThan(2_000)
  const absent = [
    'workers',
    'webhooks',
    'due_deliveries',
    'oldest_due_delivery_seconds',
    'analytics_lag_seconds',
  ]
  for (const name of absent) expect(sumSeries(series, `link_service_${name}`)).toBeUndefined()
  expect(sumSeries(series, 'link_service_redirect_cache_links')).toBeGreaterThanOrEqual(0)
  await service.db.query('ROLLBACK')
  await waitFor('the figures', async () => (await sum('workers')) === 1)
})
