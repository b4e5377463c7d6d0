/** Links that are made one by one, at the same time. */
import { LinkRules } from '../../../../src/links/link-rules.js'
import { startService } from '../../../support/service.js'
import type { Answer, Service } from '../../../support/service.js'
import { begin, commit } from '../../../support/transactions.js'
import { waitFor } from '../../../support/wait-for.js'

const { jest } = import.meta

let service: Service
let second: { id: string; token: string }
let elsewhere: string
beforeAll(async () => {
  service = await startService()
  second = await service.mint()
  await service.addWorkspace('elsewhere')
  elsewhere = (await service.mint(undefined, 'elsewhere')).token
})
afterAll(() => service.stop())

const create = (body: object, token = service.token) => service.call('POST', '/v1/links', { body, token })
const createAll = (bodies: object[], token?: string) => Promise.all(bodies.map((body) => create(body, token)))
const bodies = (many: number, path: string) =>
  Array.from({ length: many }, (_, i) => ({
    url: `https://example.com/${path}/${i}`,
    tags: [path, `${i % 3}`],
  }))
const statuses = (answers: Answer[]) => answers.map(({ status }) => status)
const stored = (path: string) =>
  service.db.query<{ slug: string; url: string; tx: string; body: string; token_id: string }>(
    `SELECT slug, url, tx, body, actor_token_id AS token_id
     FROM links JOIN events ON link_id = links.id JOIN audit_log ON object_id = links.id
     WHERE url LIKE $1 ORDER BY links.id`,
    [`https://example.com/${path}/%`],
  )

it('each is answered, recorded and audited as if it had come alone, in fewer transactions than there are links', async () => {
  const asked = bodies(60, 'crowd')
  const odd = { title: '\\u0000 "\\" \u2028 \u{1F331}', url: "https://example.com/crowd/odd?a='%22\\&b={}" }
  // Nothing is written while the table is locked, so those that come later wait for each other.
  const slugsMade = jest.spyOn(service.app.get(LinkRules), 'makeSlug')
  const lock = await begin(service)
  await lock.query('LOCK TABLE links IN SHARE MODE')
  const asking = Promise.all([
    ...asked.map((body, i) => create(body, i % 2 ? second.token : service.token)),
    create(odd),
  ])
  await waitFor('every link to be asked for', () => slugsMade.mock.calls.length > asked.length)
  await commit(lock)
  slugsMade.mockRestore()
  const answers = await asking
  expect(new Set(statuses(answers))).toEqual(new Set([201]))
  expect(answers.at(-1)!.body).toMatchObject({ title: odd.title })
  for (const [i, body] of asked.entries()) expect(answers[i]!.body).toMatchObject(body)

  const rows = await stored('crowd')
  expect(rows).toHaveLength(61)
  for (const [i, { body: link }] of answers.entries()) {
    const row = rows.find(({ slug }) => slug === link.slug)!
    expect(JSON.parse(row.body)).toMatchObject({ type: 'link.created', data: { link } })
    const { body: audit } = await service.call('GET', `/v1/audit-log?object_id=${link.id}`)
    const token = i % 2 ? second.id : service.tokenId
    expect(audit.data).toMatchObject([{ action: 'link.created', actor: { id: token } }])
    expect((await service.call('GET', `/v1/links/${link.id}`)).body).toEqual(link)
  }
  expect(new Set(rows.map(({ tx }) => tx)).size).toBe(3)
})

it('those of two workspaces share no statement', async () => {
  const [ours, theirs] = await Promise.all([
    createAll(bodies(30, 'ours')),
    createAll(bodies(30, 'theirs'), elsewhere),
  ])
  expect(new Set(statuses([...ours, ...theirs]))).toEqual(new Set([201]))
  const [ourTx, theirTx] = [await stored('ours'), await stored('theirs')].map(
    (rows) => new Set(rows.map(({ tx }) => tx)),
  )
  expect([...ourTx!].filter((tx) => theirTx!.has(tx))).toEqual([])
})

it('one whose made-up slug is taken, also by one beside it, gets another', async () => {
  const rules = service.app.get(LinkRules)
  const makeSlug = rules.makeSlug.bind(rules)
  let taken = 0
  const spy = jest
    .spyOn(rules, 'makeSlug')
    .mockImplementation(() => (taken++ < 20 ? 'made-up-twice' : makeSlug()))
  const answers = await createAll(bodies(20, 'same'))
  spy.mockRestore()
  expect(new Set(statuses(answers))).toEqual(new Set([201]))
  const slugs = answers.map(({ body }) => body.slug as string)
  expect(new Set(slugs).size).toBe(20)
  expect(slugs.filter((slug) => slug === 'made-up-twice')).toHaveLength(1)
  expect((await stored('same')).map(({ slug }) => slug).sort()).toEqual(slugs.sort())
})

it('a statement that fails fails its links, and stores none of them; those after it are made', async () => {
  await service.db.query(
    'ALTER TABLE links ADD CONSTRAINT no_such_link CHECK (url <> $$https://example.com/broken/7$$)',
  )
  const answers = await createAll(bodies(20, 'broken'))
  await service.db.query('ALTER TABLE links DROP CONSTRAINT no_such_link')
  const made = answers.filter(({ status }) => status === 201)
  expect(answers[7]!.status).toBe(500)
  // How many share its statement depends on when they came: perhaps all.
  expect([201, 500]).toEqual(expect.arrayContaining(statuses(answers)))
  const rows = await stored('broken')
  expect(rows.map(({ slug }) => slug).sort()).toEqual(made.map(({ body }) => body.slug as string).sort())
  expect(new Set(statuses(await createAll(bodies(20, 'mended'))))).toEqual(new Set([201]))
})
