/** Concurrent creations of single links. */
import { LinkRules } from '../../../../src/links/link-rules.js'
import { decodeId } from '../../../../src/platform/database/ids.js'
import { startService } from '../../../support/service.js'
import type { ServiceResponse, Service } from '../../../support/service.js'

const { jest } = import.meta

let service: Service
let second: { id: string; token: string }
beforeAll(async () => {
  service = await startService()
  second = await service.mint()
})
afterAll(() => service.stop())

const create = (body: object, token = service.token) => service.call('POST', '/v1/links', { body, token })
const createAll = (bodies: object[]) => Promise.all(bodies.map((body) => create(body)))
const bodies = (many: number, path: string) =>
  Array.from({ length: many }, (_, i) => ({
    url: `https://example.com/${path}/${i}`,
    tags: [path, `${i % 3}`],
  }))
const statuses = (responses: ServiceResponse[]) => responses.map(({ status }) => status)
const stored = (path: string) =>
  service.db.query<{ slug: string; url: string; body: string; token_id: string }>(
    `SELECT slug, url, body, actor_token_id AS token_id
     FROM links JOIN events ON link_id = links.id JOIN audit_log ON object_id = links.id
     WHERE url LIKE $1 ORDER BY links.id`,
    [`https://example.com/${path}/%`],
  )

it('returns, records and audits each link as if it were created alone', async () => {
  const sent = bodies(60, 'crowd')
  const responses = await Promise.all(
    sent.map((body, i) => create(body, i % 2 ? second.token : service.token)),
  )
  expect(new Set(statuses(responses))).toEqual(new Set([201]))
  const rows = await stored('crowd')
  expect(rows).toHaveLength(60)
  for (const [i, { body: link }] of responses.entries()) {
    expect(link).toMatchObject(sent[i]!)
    const row = rows.find(({ slug }) => slug === link.slug)!
    expect(JSON.parse(row.body)).toMatchObject({ type: 'link.created', data: { link } })
    expect(row.token_id).toBe(decodeId('tok', i % 2 ? second.id : service.tokenId))
  }
})

it('stores a body exactly as it was sent', async () => {
  const odd = { title: '\\u0000 "\\" \u2028 \u{1F331}', url: "https://example.com/odd/?a='%22\\&b={}" }
  const { body: link } = await create(odd)
  expect(link).toMatchObject({ title: odd.title })
  const [row] = await stored('odd')
  expect(JSON.parse(row!.body)).toMatchObject({ type: 'link.created', data: { link } })
})

it('replaces a generated slug that is taken, even by a concurrent creation', async () => {
  const rules = service.app.get(LinkRules)
  const generateSlug = rules.generateSlug.bind(rules)
  let taken = 0
  const spy = jest
    .spyOn(rules, 'generateSlug')
    .mockImplementation(() => (taken++ < 20 ? 'generated-twice' : generateSlug()))
  const responses = await createAll(bodies(20, 'same'))
  spy.mockRestore()
  expect(new Set(statuses(responses))).toEqual(new Set([201]))
  const slugs = responses.map(({ body }) => body.slug as string)
  expect(new Set(slugs).size).toBe(20)
  expect(slugs.filter((slug) => slug === 'generated-twice')).toHaveLength(1)
  expect((await stored('same')).map(({ slug }) => slug).sort()).toEqual(slugs.sort())
})

it('fails only the link whose statement fails', async () => {
  await service.db.query(
    'ALTER TABLE links ADD CONSTRAINT no_such_link CHECK (url <> $$https://example.com/broken/7$$)',
  )
  const responses = await createAll(bodies(20, 'broken'))
  await service.db.query('ALTER TABLE links DROP CONSTRAINT no_such_link')
  expect(statuses(responses)).toEqual(responses.map((_, i) => (i === 7 ? 500 : 201)))
  expect(await stored('broken')).toHaveLength(19)
})
