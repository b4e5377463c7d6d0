import { readFileSync } from 'node:fs'

import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { makeLink, visit } from '../../support/factories/links.js'
import { importFile, readReport, upload } from '../../support/factories/imports.js'

let service: Service
let token: string
beforeAll(async () => {
  service = await startService({ env: { ROLE: 'all' } })
  await service.addWorkspace('ours')
  ;({ token } = await service.mint(undefined, 'ours'))
})
afterAll(() => service.stop())

const findEvents = (type: string) =>
  service.db.query<{ body: string }>('SELECT body FROM events WHERE type = $1 ORDER BY id', [type])
const url = 'https://target.example/'

describe('an import', () => {
  it('creates a link and an event for each valid line, and reports each invalid line', async () => {
    const body = `url,slug,title,tags,remark\n${url}1,one,First,"x,y",a\nnonsense,two,,,b\n${url}3,three!,,,\n${url}4,,,,\n`
    const done = await importFile(service, body, {}, { token })
    expect(done).toMatchObject({
      status: 'finished',
      format: 'csv',
      bytes: Buffer.byteLength(body),
      bytes_processed: Buffer.byteLength(body),
      lines: 4,
      created: 2,
      updated: 0,
      skipped: 0,
      failed: 2,
      ignored_columns: ['remark'],
      error: null,
    })
    expect(await readReport(service, done.id, token)).toEqual([
      {
        line: 3,
        errors: [expect.objectContaining({ field: 'url', code: 'invalid_url' })],
        content: 'nonsense,two,,,b',
      },
      {
        line: 4,
        errors: [expect.objectContaining({ field: 'slug', code: 'invalid_slug' })],
        content: `${url}3,three!,,,`,
      },
    ])
    const { body: list } = await service.call('GET', '/v1/links?sort=created_at', { token })
    expect(list.data).toMatchObject([
      { slug: 'one', url: `${url}1`, title: 'First', tags: ['x', 'y'] },
      { url: `${url}4`, title: null, tags: [] },
    ])
    expect((await visit(service, 'one')).headers.get('location')).toBe(`${url}1`)
    const events = await findEvents('link.created')
    expect(events.map(({ body: event }) => JSON.parse(event).data.link.id)).toEqual(
      list.data.map(({ id }: { id: string }) => id),
    )
  })

  it('has a Location, and is visible only in its workspace', async () => {
    const response = await upload(service, `url\n${url}`, {}, { token })
    expect(response.status).toBe(202)
    expect(response.headers.get('location')).toBe(`/api/v1/imports/${response.body.id}`)
    const path = `/v1/imports/${response.body.id}`
    expect((await service.call('GET', path, { token })).status).toBe(200)
    for (const [method, at] of [
      ['GET', path],
      ['GET', `${path}/report`],
      ['DELETE', path],
    ] as const)
      expect((await service.call(method, at)).status).toBe(404)
    const listed = async (by?: string) =>
      (await service.call('GET', '/v1/imports', by ? { token: by } : {})).body.data.map(
        ({ id }: { id: string }) => id,
      )
    expect(await listed(token)).toContain(response.body.id)
    expect(await listed()).toEqual([])
  })

  it('has a CSV report without formulas', async () => {
    const { id } = await importFile(service, `url,title\n"=cmd()",x\n`, {}, { token })
    const { text, headers } = await service.call('GET', `/v1/imports/${id}/report`, { token })
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(text.split('\r\n')).toEqual([
      'line,code,reason,content',
      expect.stringMatching(/^2,invalid_url,"url: .*","""=cmd\(\)"",x"$/),
      '',
    ])
  })

  it.each(['bitly.csv', 'dub.ndjson', 'kutt.csv', 'shlink.csv', 'yourls.csv'])('accepts %s', async (name) => {
    const type = name.endsWith('csv') ? 'text/csv' : 'application/x-ndjson'
    const body = readFileSync(`test/support/imports/${name}`)
    const done = await importFile(service, body, {}, { token, type })
    expect(done.format).toBe(name.split('.')[0])
    expect([done.created, done.failed]).toEqual(name === 'dub.ndjson' ? [1, 1] : [2, 0])
  })

  it('of only a header row has no lines', async () => {
    expect(await importFile(service, 'url,slug\n', {}, { token })).toMatchObject({
      status: 'finished',
      lines: 0,
    })
  })
})

describe('an existing link', () => {
  const body = (slug: string) => `url,slug,title\n${url}new,${slug},New\n${url}other,${slug}-2,\n`

  it.each([
    ['fail', { created: 1, failed: 1, skipped: 0, updated: 0 }, null],
    ['skip', { created: 1, failed: 0, skipped: 1, updated: 0 }, null],
    ['update', { created: 1, failed: 0, skipped: 0, updated: 1 }, 'New'],
  ])('is handled according to on_conflict=%s', async (on_conflict, counts, title) => {
    const slug = `there-${on_conflict}`
    const { id } = await makeLink(service, { slug }, token)
    const done = await importFile(service, body(slug), { on_conflict }, { token })
    expect(done).toMatchObject(counts)
    expect((await service.call('GET', `/v1/links/${id}`, { token })).body.title).toBe(title)
  })

  it('of another workspace is never changed', async () => {
    const { id, updated_at } = await makeLink(service, { slug: 'foreign' })
    const done = await importFile(service, body('foreign'), { on_conflict: 'update' }, { token })
    expect(done).toMatchObject({ created: 1, failed: 1, updated: 0 })
    expect((await service.call('GET', `/v1/links/${id}`)).body.updated_at).toBe(updated_at)
  })
})

describe('a dry run', () => {
  it.each(['fail', 'skip', 'update'])(
    'returns the counts of %s without changing anything',
    async (on_conflict) => {
      await makeLink(service, { slug: `dry-${on_conflict}`, external_id: `ext-${on_conflict}` }, token)
      // The import needs several steps, and the last lines conflict with links of earlier steps.
      const many = Array.from({ length: 600 }, (_, i) => `${url},dry-${on_conflict}-${i},,\n`).join('')
      const body = `url,slug,external_id,title\n${url},dry-${on_conflict},,Changed\nnonsense,,,\n${many}${url},dry-${on_conflict}-7,,Changed\n${url},,ext-${on_conflict},Changed too\n`
      const count = () =>
        service.db.query(
          'SELECT (SELECT count(*) FROM links) AS links, (SELECT count(*) FROM events) AS events, (SELECT max(updated_at) FROM links) AS at',
        )
      const before = await count()
      const dry = await importFile(service, body, { on_conflict, dry_run: 'true' }, { token })
      expect(await count()).toEqual(before)
      const { created, updated, skipped, failed } = await importFile(
        service,
        body,
        { on_conflict },
        { token },
      )
      expect(dry).toMatchObject({ dry_run: true, created, updated, skipped, failed })
      expect(created).toBe(600)
    },
  )
})

describe('the preview of a dry run', () => {
  const dryRun = (body: string, on_conflict = 'update') =>
    importFile(service, body, { on_conflict, dry_run: 'true' }, { token })

  it('lists the lines that did not fail as they would be imported, with their outcomes', async () => {
    await makeLink(service, { slug: 'shown-before', url, title: 'Same' }, token)
    const body = `url,slug,title,tags,expires_at\n${url}1,shown-new,New,"b,a,b",2099-01-02T03:04:05Z\nnonsense,,,,\n${url}2,,,,\n${url}3,shown-before,Other,,\n${url},shown-before,Same,,\n${url}4,shown-new,,,\n`
    const before = { title: null, tags: [], expires_at: null }
    expect((await dryRun(body)).preview).toEqual([
      {
        line: 2,
        outcome: 'created',
        slug: 'shown-new',
        url: `${url}1`,
        title: 'New',
        tags: ['b', 'a'],
        expires_at: '2099-01-02T03:04:05.000Z',
      },
      { ...before, line: 4, outcome: 'created', slug: null, url: `${url}2` },
      { ...before, line: 5, outcome: 'updated', slug: 'shown-before', url: `${url}3`, title: 'Other' },
      { ...before, line: 6, outcome: 'updated', slug: 'shown-before', url, title: 'Same' },
      {
        line: 7,
        outcome: 'updated',
        slug: 'shown-new',
        url: `${url}4`,
        title: 'New',
        tags: ['b', 'a'],
        expires_at: '2099-01-02T03:04:05.000Z',
      },
    ])
  })

  it('keeps the values of an existing link that a line leaves out', async () => {
    const kept = { title: 'Kept', tags: ['sale'], expires_at: '2099-01-02T03:04:05.000Z' }
    await makeLink(service, { slug: 'shown-kept', url, ...kept }, token)
    const body = `url,slug,title,tags,expires_at\n${url}changed,shown-kept,,,\n${url}changed,shown-kept,,,\n`
    const changed = { slug: 'shown-kept', url: `${url}changed`, ...kept }
    expect((await dryRun(body)).preview).toEqual([
      { line: 2, outcome: 'updated', ...changed },
      { line: 3, outcome: 'skipped', ...changed },
    ])
    expect((await dryRun(body, 'skip')).preview).toEqual(
      [2, 3].map((line) => ({
        ...changed,
        line,
        outcome: 'skipped',
        title: null,
        tags: [],
        expires_at: null,
      })),
    )
  })

  it('shows an expires_in as the time when the link would expire', async () => {
    const [row] = (await dryRun(`url,expires_in\n${url},30d\n`)).preview
    expect(Date.parse(row!.expires_at!) - Date.now()).toBeGreaterThan(29 * 86_400_000)
  })

  it('lists the first 10 lines, even across several steps', async () => {
    const lines = (count: number, target: string) => `${target}\n`.repeat(count)
    const { preview, created } = await dryRun(
      `url\n${lines(4, url)}${lines(1_200, 'nonsense')}${lines(20, url)}`,
    )
    expect(created).toBe(24)
    expect(preview.map(({ line }) => line)).toEqual([2, 3, 4, 5, 1206, 1207, 1208, 1209, 1210, 1211])
  })

  it('is empty for an import', async () => {
    expect((await importFile(service, `url\n${url}`, {}, { token })).preview).toEqual([])
  })
})

it('creates no events with notify=false', async () => {
  const before = await findEvents('link.created')
  const done = await importFile(service, `url\n${url}quiet`, { notify: 'false' }, { token })
  expect(done.created).toBe(1)
  expect(await findEvents('link.created')).toHaveLength(before.length)
})
