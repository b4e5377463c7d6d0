/** The filter of a webhook: how it is created, changed, shown and validated. */
import { linkFieldNames } from '../../../src/links/link-fields.dto.js'
import { receiverUrl, makeWebhook } from '../../support/factories/webhooks.js'
import { cases, expectFieldError } from '../../support/bad-input.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'

let service: Service
beforeAll(async () => (service = await shareService()))
afterAll(() => service.stop())

const linkId = 'lnk_01kaj3v9z4f8hva3x7m2c5d6ne'
const complete = { link_ids: [linkId], tags: ['sale', 'mail'], human_only: true, changed_fields: ['url'] }
const none = { link_ids: null, tags: null, human_only: false, changed_fields: null }

const create = (filter: unknown) =>
  service.call('POST', '/v1/webhooks', { body: { url: receiverUrl, events: ['*'], filter } })
const patch = (id: string, filter: unknown) =>
  service.call('PATCH', `/v1/webhooks/${id}`, { body: { filter } })
const get = (id: string) => service.call('GET', `/v1/webhooks/${id}`)

describe('a new webhook', () => {
  it('has no filter by default', async () => {
    const webhook: any = await makeWebhook(service)
    expect(webhook.filter).toBeNull()
  })

  it('shows all conditions of its filter, and null for the others', async () => {
    const { status, body } = await create(complete)
    expect([status, body.filter]).toEqual([201, complete])
    expect((await get(body.id)).body.filter).toEqual(complete)
    const { body: partial } = await create({ tags: ['sale'], link_ids: null })
    expect(partial.filter).toEqual({ ...none, tags: ['sale'] })
  })

  it.each(cases([null, {}, none, { human_only: null }]))(
    'has no filter if %s leaves no condition',
    async (_, filter) => {
      const { status, body } = await create(filter)
      expect([status, body.filter]).toEqual([201, null])
      const [row] = await service.db.query(
        `SELECT count(*)::int AS count FROM webhooks
         WHERE filter IS NOT NULL AND (filter = '{}' OR jsonb_path_exists(filter, '$.* ? (@ == null)'))`,
      )
      expect(row).toEqual({ count: 0 })
    },
  )

  it('has each value of a list once, in the given order', async () => {
    const { body } = await create({ tags: ['b', 'a', 'b'], changed_fields: ['tags', 'tags'] })
    expect(body.filter).toMatchObject({ tags: ['b', 'a'], changed_fields: ['tags'] })
  })

  it('accepts lists of 100 values and every field of a link', async () => {
    const tags = Array.from({ length: 100 }, (_, i) => `tag ${i}`)
    const { status, body } = await create({ tags, changed_fields: linkFieldNames })
    expect([status, body.filter.tags, body.filter.changed_fields]).toEqual([201, tags, linkFieldNames])
  })

  it('accepts IDs of links that do not exist, because a link may be deleted at any time', async () => {
    expect((await create({ link_ids: ['lnk_01kaj3v9z4f8hva3x7m2c5d6nf'] })).status).toBe(201)
  })
})

describe('a change', () => {
  it('is merged into the filter: absent conditions stay unchanged, and null removes one', async () => {
    const { id } = (await create(complete)).body
    const steps: [object | null, object | null][] = [
      [{ tags: ['mail'] }, { ...complete, tags: ['mail'] }],
      [
        { link_ids: null, human_only: null },
        { ...none, tags: ['mail'], changed_fields: ['url'] },
      ],
      [{}, { ...none, tags: ['mail'], changed_fields: ['url'] }],
      [{ tags: null, changed_fields: null }, null],
      [{ human_only: true }, { ...none, human_only: true }],
      [{ human_only: false }, null],
      [complete, complete],
      [null, null],
    ]
    for (const [change, filter] of steps) {
      expect((await patch(id, change)).body.filter).toEqual(filter)
      expect((await get(id)).body.filter).toEqual(filter)
    }
  })

  it('to the same filter creates no new version', async () => {
    const { body: webhook } = await create(complete)
    for (const filter of [complete, {}, { human_only: true }, { tags: ['sale', 'mail', 'sale'] }])
      expect((await patch(webhook.id, filter)).body.updated_at).toBe(webhook.updated_at)
  })

  it('is recorded in the audit log by its name', async () => {
    const { id } = (await create(complete)).body
    await patch(id, { tags: ['secret tag'] })
    const { body, text } = await service.call('GET', `/v1/audit-log?object_id=${id}&action=webhook.changed`)
    expect(body.data.map(({ details }: any) => details)).toEqual([{ fields: ['filter'] }])
    expect(text).not.toContain('secret tag')
  })

  it('requires events:read', async () => {
    const { id } = await makeWebhook(service)
    const { token } = await service.mint('webhooks:write')
    for (const filter of [{ tags: ['sale'] }, complete]) {
      const refused = await service.call('PATCH', `/v1/webhooks/${id}`, { token, body: { filter } })
      expect([refused.status, refused.body.required]).toEqual([403, ['events:read']])
    }
    const unchanged = await service.call('PATCH', `/v1/webhooks/${id}`, { token, body: { filter: null } })
    expect(unchanged.status).toBe(200)
  })
})

describe('an invalid filter', () => {
  const many = (item: string) => Array<string>(101).fill(item)
  const invalid: [condition: string, code: string, values: unknown[]][] = [
    [
      'link_ids',
      'invalid_link_ids',
      [[], 'x', linkId, [1], [null], ['wh_01kaj3w4q2e6r8t0y1v3b5n7mz'], many(linkId)],
    ],
    [
      'tags',
      'invalid_tags',
      [[], '', 'sale', [''], [' '], ['a\n'], ['a'.repeat(51)], [1], many('a'), { 0: 'a' }],
    ],
    ['human_only', 'invalid_flag', ['true', 1, 0, [], {}]],
    [
      'changed_fields',
      'invalid_changed_fields',
      [[], ['slug'], ['clicks'], ['URL'], 'url', [null], many('url')],
    ],
    ['countries', 'unknown_field', [['DE'], null]],
  ]
  it.each(
    invalid.flatMap(([condition, code, values]) =>
      cases(values).map(([name, value]) => [condition, name, code, value]),
    ),
  )('is rejected: %s: %s', async (condition, _, code, value) => {
    const { id } = await makeWebhook(service)
    for (const response of [
      await create({ [condition as string]: value }),
      await patch(id, { [condition as string]: value }),
    ])
      expectFieldError(response, `/filter/${condition as string}`, code as string)
    expect((await get(id)).body.filter).toBeNull()
  })

  it.each(cases(['', 'sale', 1, true, [], ['sale']]))('must be an object: %s', async (_, value) => {
    const response = await create(value)
    expectFieldError(response, '/filter', 'not_an_object')
    expect(response.body.detail).toContain('{"tags": ["sale"]}')
  })

  it('returns all errors at once, with the known fields', async () => {
    const { status, body } = await service.call('POST', '/v1/webhooks', {
      body: { url: 'x', events: ['*'], filter: { tags: [], changed_fields: ['slug'] } },
    })
    expect(status).toBe(422)
    expect(body.errors.map(({ pointer }: any) => pointer).sort()).toEqual([
      '/filter/changed_fields',
      '/filter/tags',
      '/url',
    ])
    const { detail } = body.errors.find(({ pointer }: any) => pointer === '/filter/changed_fields')
    expect(detail).toContain('Unknown: "slug"')
    for (const name of linkFieldNames) expect(detail).toContain(name)
  })
})
