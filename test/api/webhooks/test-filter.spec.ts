/** Tests of a filter against a recorded event. */
import { expectFieldError } from '../../support/bad-input.js'
import { makeLink, withoutInstance } from '../../support/factories/links.js'
import { getWebhookUuid, makeWebhook } from '../../support/factories/webhooks.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'

let service: Service
let eventId: string
let linkId: string
beforeAll(async () => {
  service = await shareService()
  linkId = (await makeLink(service, { tags: ['sale'] })).id
  await service.call('PATCH', `/v1/links/${linkId}`, { body: { title: 'T' } })
  eventId = (await service.call('GET', `/v1/events?link_id=${linkId}&limit=1`)).body.data[0].id
})
afterAll(() => service.stop())

const test = (id: string, body: object, token = service.token) =>
  service.call('POST', `/v1/webhooks/${id}/filter/test`, { token, body })
const unknownLink = 'lnk_01kaj3v9z4f8hva3x7m2c5d6ne'

it.each([
  [null, null],
  [{ tags: ['sale'], human_only: true, changed_fields: ['title'] }, null],
  [{ link_ids: [unknownLink] }, 'link_ids'],
  [{ tags: ['mail'] }, 'tags'],
  [{ tags: ['mail'], changed_fields: ['url'] }, 'tags'],
  [{ changed_fields: ['url', 'tags'] }, 'changed_fields'],
])('evaluates the filter %j: %s', async (filter, condition) => {
  const webhook = await makeWebhook(service, { events: ['*'], filter: { tags: ['other'] } })
  const { status, body } = await test(webhook.id, { event_id: eventId, filter })
  expect([status, body]).toEqual([
    200,
    {
      matches: condition === null,
      condition,
      message:
        condition === null ? 'The filter includes the event.' : expect.stringContaining(`\`${condition}\``),
    },
  ])
})

it('evaluates the filter of the webhook by default, and changes nothing', async () => {
  const webhook = await makeWebhook(service, { events: ['*'], filter: { link_ids: [unknownLink] } })
  expect((await test(webhook.id, { event_id: eventId })).body.condition).toBe('link_ids')
  expect((await test(webhook.id, { event_id: eventId, filter: { link_ids: [linkId] } })).body.matches).toBe(
    true,
  )
  const { body } = await service.call('GET', `/v1/webhooks/${webhook.id}`)
  expect(body).toMatchObject({
    filter: { link_ids: [unknownLink] },
    updated_at: webhook.updated_at,
    pending: 0,
  })
})

it('says if the webhook does not subscribe to the type', async () => {
  const webhook = await makeWebhook(service, { events: ['click'] })
  expect((await test(webhook.id, { event_id: eventId })).body).toEqual({
    matches: true,
    condition: null,
    message: 'The filter includes the event, but the webhook does not subscribe to link.updated.',
  })
})

it('always applies the tags of a restricted token', async () => {
  const webhook = await makeWebhook(service)
  await service.db.query(`UPDATE webhooks SET restricted_tags = '{mail}' WHERE id = $1`, [
    getWebhookUuid(webhook),
  ])
  const { body } = await test(webhook.id, { event_id: eventId, filter: null })
  expect(body).toMatchObject({ matches: false, condition: 'restricted_tags' })
})

it('requires webhooks:read and events:read', async () => {
  const { id } = await makeWebhook(service)
  for (const [scopes, missing] of [
    ['webhooks:read', 'events:read'],
    ['events:read', 'webhooks:read'],
  ] as const) {
    const refused = await test(id, { event_id: eventId }, (await service.mint(scopes)).token)
    expect([refused.status, refused.body.required]).toEqual([403, [missing]])
  }
  const { token } = await service.mint('webhooks:read,events:read')
  expect((await test(id, { event_id: eventId }, token)).status).toBe(200)
})

it('returns the same 404 for unknown, malformed and foreign events, and for events that the token cannot read', async () => {
  const { id } = await makeWebhook(service)
  await service.addWorkspace('filter-tests')
  const other = await service.mint(undefined, 'filter-tests')
  const foreignWebhook = await makeWebhook(service, {}, other.token)
  const notFound = await test(id, { event_id: 'evt_01kaj4d0qae6svf0k9w3m7x2hv' })
  expect(notFound.status).toBe(404)
  const foreignEvent = await test(foreignWebhook.id, { event_id: eventId }, other.token)
  const malformed = await test(id, { event_id: 'x' })
  for (const response of [foreignEvent, malformed])
    expect(withoutInstance(response)).toEqual(withoutInstance(notFound))
  expect((await test(foreignWebhook.id, { event_id: eventId })).status).toBe(404)

  await service.call('POST', '/v1/auth/token', { body: { name: 'reported' } })
  const [tokenEvent] = (await service.call('GET', '/v1/events?type=token.created&limit=1')).body.data
  const { token } = await service.mint('webhooks:read,events:read')
  expect((await test(id, { event_id: tokenEvent.id }, token)).status).toBe(404)
  expect((await test(id, { event_id: tokenEvent.id })).status).toBe(200)
})

it('rejects an invalid filter and a missing event', async () => {
  const { id } = await makeWebhook(service)
  expectFieldError(
    await test(id, { event_id: eventId, filter: { tags: [] } }),
    '/filter/tags',
    'invalid_tags',
  )
  expectFieldError(await test(id, { event_id: eventId, filter: [] }), '/filter', 'not_an_object')
  expectFieldError(await test(id, {}), '/event_id', 'required')
})
