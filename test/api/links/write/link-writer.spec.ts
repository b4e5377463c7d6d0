/** Writing many links in the transaction of the caller. */
import { getDataSourceToken } from '@nestjs/typeorm'
import type { DataSource } from 'typeorm'

import { splitIntoParts, LinkWriter, retryLostRaces } from '../../../../src/links/write/link-writer.js'
import { newRowIds } from '../../../../src/links/write/decide.js'
import type { RowOutcome } from '../../../../src/links/write/decide.js'
import { LinkRules } from '../../../../src/links/link-rules.js'
import { startService } from '../../../support/service.js'
import type { Service } from '../../../support/service.js'
import { makeLink, visit } from '../../../support/factories/links.js'

let service: Service
let workspaceId: string
beforeAll(async () => {
  service = await startService()
  const [row] = await service.db.query<{ id: string }>("SELECT id FROM workspaces WHERE name = 'default'")
  workspaceId = row!.id
  await service.addWorkspace('other')
})
afterAll(() => service.stop())

const url = 'https://target.example/page'
type Options = Partial<Parameters<LinkWriter['write']>[3]>

async function write(rows: Record<string, unknown>[], options: Options = {}): Promise<RowOutcome[]> {
  const rules = service.app.get(LinkRules)
  const checked = rows.map((row, index) => ({
    index,
    ids: newRowIds(),
    ...rules.check({ url, ...row }),
  }))
  expect(checked.flatMap(({ faults }) => faults)).toEqual([])
  const actor = { tokenId: null, workspaceId, address: null, requestId: null, tags: null }
  const dataSource = service.app.get<DataSource>(getDataSourceToken())
  const batches = service.app.get(LinkWriter)
  // The parts of a batch can deadlock with those of another one, so every caller repeats as this one does.
  const outcomes = await retryLostRaces(() =>
    dataSource.transaction((tx) =>
      batches.write(tx, actor, splitIntoParts(checked), { onConflict: 'fail', notify: true, ...options }),
    ),
  )
  return rows.map((_, index) => outcomes.get(index)!)
}

const create = (body: object) => service.call('POST', '/v1/links/bulk', { body })
const summarizeOutcomes = (outcomes: RowOutcome[]) =>
  outcomes.map((outcome) =>
    outcome.status === 'failed'
      ? outcome.fault.errors.map((error) => ('pointer' in error ? `${error.pointer} ${error.code}` : ''))
      : outcome.status,
  )
const listLinkEvents = async (slug: string) => {
  const rows = await service.db.query<{ type: string; body: string }>(
    'SELECT type, body FROM events JOIN links ON links.id = link_id WHERE slug = $1 ORDER BY events.id',
    [slug],
  )
  return rows.map(({ body }) => JSON.parse(body))
}

it('creates links with events, like single creations', async () => {
  expect((await visit(service, 'batch-a')).status).toBe(404)
  const [first, second] = await write([
    {
      slug: 'batch-a',
      title: 'A "quoted" ☃ title',
      tags: ['x', 'y', 'x'],
      external_id: 'ext-a',
      expires_in: '30d',
    },
    { enabled: false },
  ])
  if (first?.status !== 'created' || second?.status !== 'created') throw new Error('No links were created.')
  const read = await service.call('GET', `/v1/links/${first.link.id}`)
  expect(read.body).toEqual(first.link)
  expect(read.body).toMatchObject({ title: 'A "quoted" ☃ title', tags: ['x', 'y'], external_id: 'ext-a' })
  expect(second.link).toMatchObject({
    enabled: false,
    redirect_status: 302,
    slug: expect.stringMatching(/^\w{7}$/),
  })
  expect((await visit(service, 'batch-a')).status).toBe(302)
  const [event, ...others] = await listLinkEvents('batch-a')
  expect(others).toEqual([])
  expect(event).toMatchObject({ type: 'link.created', data: { link: read.body } })
})

it('records no events with notify=false, but writes audit entries', async () => {
  await write([{ slug: 'silent' }], { notify: false })
  expect(await listLinkEvents('silent')).toEqual([])
  const audited = await service.db.query(
    'SELECT action FROM audit_log JOIN links ON links.id = object_id WHERE slug = $1',
    ['silent'],
  )
  expect(audited).toEqual([{ action: 'link.created' }])
})

describe('an existing link', () => {
  beforeAll(async () => {
    await makeLink(service, { slug: 'there', external_id: 'there', title: 'Before' })
    await makeLink(service, { slug: 'elsewhere' })
    const deleted = await makeLink(service, { slug: 'deleted' })
    await service.call('DELETE', `/v1/links/${deleted.id}`)
    const { token } = await service.mint(undefined, 'other')
    await makeLink(service, { slug: 'foreign', external_id: 'foreign' }, token)
  })

  it('fails the row', async () => {
    const rows = [
      { slug: 'there' },
      { external_id: 'there' },
      { slug: 'elsewhere', external_id: 'there' },
      { slug: 'deleted' },
      { slug: 'foreign' },
      { external_id: 'foreign' },
    ]
    expect(summarizeOutcomes(await write(rows))).toEqual([
      ['/slug taken'],
      ['/external_id taken'],
      ['/slug taken', '/external_id taken'],
      ['/slug taken'],
      ['/slug taken'],
      'created',
    ])
  })

  it('of the workspace is skipped', async () => {
    const rows = [
      { slug: 'there' },
      { external_id: 'there' },
      { slug: 'deleted' },
      { slug: 'elsewhere', external_id: 'there' },
    ]
    expect(summarizeOutcomes(await write(rows, { onConflict: 'skip' }))).toEqual([
      'skipped',
      'skipped',
      ['/slug taken'],
      ['/external_id other_link'],
    ])
    expect(await listLinkEvents('there')).toHaveLength(1)
  })

  it('is updated once with the given fields and an event', async () => {
    const rows = [
      { slug: 'there', tags: ['new'], url: `${url}?2` },
      { slug: 'foreign', title: 'Mine' },
      { slug: 'new-name', external_id: 'there' },
    ]
    const options = { onConflict: 'update' } as const
    expect(summarizeOutcomes(await write(rows, options))).toEqual([
      'updated',
      ['/slug taken'],
      ['/slug unchangeable'],
    ])
    expect(summarizeOutcomes(await write(rows.slice(0, 1), options))).toEqual(['skipped'])
    const [, event, ...others] = await listLinkEvents('there')
    expect(others).toEqual([])
    expect(event).toMatchObject({
      type: 'link.updated',
      data: { link: { title: 'Before', tags: ['new'] }, previous: { tags: [], url } },
    })
    expect((await visit(service, 'there')).headers.get('location')).toBe(`${url}?2`)
  })
})

it('handles conflicts with earlier rows of the batch', async () => {
  const rows = [
    { slug: 'twice' },
    { slug: 'twice', title: 'Again' },
    { slug: 'once', external_id: 'e1' },
    { external_id: 'e1' },
  ]
  expect(summarizeOutcomes(await write(rows))).toEqual([
    'created',
    ['/slug taken'],
    'created',
    ['/external_id taken'],
  ])
  const other = rows.map((row) => ({
    ...row,
    ...(row.slug && { slug: `${row.slug}-2` }),
    ...(row.external_id && { external_id: 'e2' }),
  }))
  expect(summarizeOutcomes(await write(other, { onConflict: 'update' }))).toEqual([
    'created',
    'updated',
    'created',
    'skipped',
  ])
  expect((await listLinkEvents('twice-2')).map(({ type }) => type)).toEqual(['link.created', 'link.updated'])
})

it('creates each link once in concurrent batches with the same links', async () => {
  for (const withIds of [false, true]) {
    const rows = Array.from({ length: 300 }, (_, i) => ({
      slug: `race-${withIds}-${i}`,
      ...(withIds ? { external_id: `race-${(i * 7) % 300}` } : {}),
    }))
    const orders = [rows, rows.toReversed(), [...rows.slice(150), ...rows.slice(0, 150)]]
    const all = await Promise.all(orders.map((order) => write(order, { onConflict: 'skip' })))
    const statuses = all.flat().map(({ status }) => status)
    expect(statuses.filter((status) => status === 'created')).toHaveLength(300)
    expect(statuses.filter((status) => status === 'skipped')).toHaveLength(600)
    const [row] = await service.db.query(
      `SELECT count(*)::int AS events, count(DISTINCT link_id)::int AS links FROM events
       JOIN links ON links.id = link_id WHERE slug LIKE $1`,
      [`race-${withIds}-%`],
    )
    expect(row).toEqual({ events: 300, links: 300 })
  }
})

it.each([
  ['slugs', (name: string) => ({ slug: name })],
  ['slugs and external IDs', (name: string) => ({ slug: name, external_id: name })],
])(
  'creates all links of one of several concurrent calls with the same %s, and none of the others',
  async (by, keys) => {
    const links = Array.from({ length: 600 }, (_, i) => ({
      url,
      ...keys(`wanted by ${by} ${i}`.replaceAll(' ', '-')),
    }))
    const responses = await Promise.all(
      [links, links.toReversed(), links, links.toReversed()].map((each) => create({ links: each })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    const [row] = await service.db.query(
      `SELECT count(*)::int AS links, count(events.id)::int AS events FROM links
     LEFT JOIN events ON link_id = links.id WHERE slug LIKE $1`,
      [`wanted-by-${by.replaceAll(' ', '-')}-%`],
    )
    expect(row).toEqual({ links: 600, events: 600 })
  },
)

it('updates a link that the same call created much earlier', async () => {
  const links = Array.from({ length: 600 }, (_, i) => ({
    url,
    external_id: `far-${i % 400}`,
    title: `Title ${i}`,
  }))
  const response = await create({ links, on_conflict: 'update' })
  expect(response.body).toMatchObject({ created: 400, updated: 200 })
  const rows = await service.db.query<{ title: string; types: string[] }>(
    `SELECT title, array_agg(type ORDER BY events.id) AS types FROM links JOIN events ON link_id = links.id
     WHERE external_id IN ('far-7', 'far-300') GROUP BY links.id ORDER BY title`,
  )
  expect(rows).toEqual([
    { title: 'Title 300', types: ['link.created'] },
    { title: 'Title 407', types: ['link.created', 'link.updated'] },
  ])
})
