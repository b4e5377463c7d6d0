import { once } from 'node:events'
import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { importFile, reportOf } from '../../support/factories/imports.js'
import { makeLink } from '../../support/factories/links.js'
import { waitFor } from '../../support/wait-for.js'

let service: Service
let target: Service
beforeAll(async () => {
  service = await startService({ env: { ROLE: 'all' } })
  // Slugs are given out once in a service, so what comes back comes to another one.
  target = await startService({ env: { ROLE: 'all' } })
})
afterAll(async () => {
  await service.stop()
  await target.stop()
})

const exported = (query: string, token = service.token) =>
  service.call('GET', `/v1/links/export?${query}`, { token })
const connections = async () => {
  const rows = await service.db.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'link-service export'`,
  )
  return rows.length
}

async function newWorkspace(name: string): Promise<string> {
  await service.addWorkspace(name)
  return (await service.mint(undefined, name)).token
}

const hostile = [
  '=1+1',
  "'=1+1",
  "''=1+1",
  "'quoted'",
  '+49 30',
  '-1',
  '@home',
  ' blank before',
  'blank after ',
  'a,b;c',
  'a "quote", and more',
  '""',
  '"',
  'null',
  'true',
  '007',
  'Grüße 🎉',
  '\u2028 line \u2029',
  '[1]',
  '\\n',
  '\u200b',
]

describe('an export', () => {
  it.each(['csv', 'ndjson'])('as %s and its import elsewhere give the same links', async (format) => {
    const token = await newWorkspace(`from-${format}`)
    for (const [i, text] of hostile.entries())
      await makeLink(
        service,
        {
          slug: `${format}-${i}`,
          url: `https://target.example/?q=${encodeURIComponent(text)}'=,";`,
          title: text,
          tags: [text, `${text}, too`, `x${i}`].slice(0, 1 + (i % 3)),
          external_id: text,
          redirect_status: [301, 302, 307, 308][i % 4],
          forward_query: i % 2 === 0,
          enabled: i % 3 !== 0,
          expires_at: i % 4 === 0 ? '2099-01-01T00:00:00.123Z' : null,
        },
        token,
      )
    const { text: file, headers } = await exported(`format=${format}&sort=created_at`, token)
    const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson'
    expect(headers.get('content-type')).toBe(type)
    const back = await target.addWorkspace(`back-${format}`)
    expect(back).not.toBeNull()
    const { token: theirs } = await target.mint(undefined, `back-${format}`)
    const done = await importFile(target, file, {}, { token: theirs, type: type.split(';')[0]! })
    expect(await reportOf(target, done.id, theirs)).toEqual([])
    expect(done).toMatchObject({ format, created: hostile.length, failed: 0 })
    const own = (links: Record<string, unknown>[]) =>
      links.map(
        ({ slug, url, title, tags, external_id, redirect_status, forward_query, enabled, expires_at }) => ({
          slug,
          url,
          title,
          tags,
          external_id,
          redirect_status,
          forward_query,
          enabled,
          expires_at,
        }),
      )
    const list = async (from: Service, asked: string) =>
      (await from.call('GET', '/v1/links?limit=100&sort=created_at', { token: asked })).body.data
    expect(own(await list(target, theirs))).toEqual(own(await list(service, token)))
  })

  it('has no cell that a spreadsheet takes for a formula', async () => {
    const token = await newWorkspace('formulas')
    for (const title of ['=1', '+1', '-1', '@x']) await makeLink(service, { title }, token)
    const { text: file } = await exported('', token)
    const titles = file
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[2])
    expect(titles.sort()).toEqual(["'+1", "'-1", "'=1", "'@x"])
  })

  it('takes the filters of the list, and nothing else', async () => {
    const token = await newWorkspace('filtered')
    await makeLink(service, { slug: 'ex-a', tags: ['x'], title: 'Alpha' }, token)
    await makeLink(service, { slug: 'ex-b', tags: ['y'], enabled: false }, token)
    await makeLink(service, { slug: 'ex-c', tags: ['x'], external_id: 'c' }, token)
    const slugs = async (query: string) => {
      const { status, text: file } = await exported(`format=ndjson&${query}`, token)
      expect(status).toBe(200)
      return file
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).slug)
    }
    expect(await slugs('')).toEqual(['ex-c', 'ex-b', 'ex-a'])
    expect(await slugs('sort=created_at')).toEqual(['ex-a', 'ex-b', 'ex-c'])
    expect(await slugs('sort=-clicks')).toEqual(['ex-c', 'ex-b', 'ex-a'])
    expect(await slugs('tag=x')).toEqual(['ex-c', 'ex-a'])
    expect(await slugs('enabled=false')).toEqual(['ex-b'])
    expect(await slugs('enabled=true&q=alpha')).toEqual(['ex-a'])
    expect(await slugs('external_id=c')).toEqual(['ex-c'])
    expect(await slugs('created_after=2099-01-01T00:00:00Z')).toEqual([])
    for (const query of ['limit=3', 'cursor=x', 'format=xml'])
      expect((await exported(query, token)).status).toBe(400)
  })

  it('needs links:read', async () => {
    const { token } = await service.mint('links:write')
    expect((await exported('', token)).status).toBe(403)
  })
})

describe('a long export', () => {
  const count = 20_000
  let others: string
  /** Long addresses, so that it does not fit into what lies between the database and a client that does not read. */
  const fill = (slug: string, workspace: string) =>
    service.db.query(
      `WITH link AS (
         INSERT INTO links (id, workspace_id, slug, url, title, tags, redirect_status, forward_query, enabled, created_at, updated_at)
         SELECT new_id(), (${workspace}), $1 || i, 'https://target.example/' || repeat('x', 500), NULL, '{}', 302, false, true, now(), now()
         FROM generate_series(1, ${count}) AS i RETURNING id, workspace_id
       )
       INSERT INTO link_counters (link_id, workspace_id, total, human) SELECT id, workspace_id, 0, 0 FROM link`,
      [slug],
    )
  beforeAll(async () => {
    others = await newWorkspace('others')
    await fill('long-', 'SELECT workspace_id FROM tokens ORDER BY id LIMIT 1')
    await fill('others-', `SELECT id FROM workspaces WHERE name = 'others'`)
  })
  // A connection of its own for each, so that leaving one leaves nothing open.
  const start = async (token = service.token) => {
    const request = get(`${service.origin}/api/v1/links/export?format=ndjson&sort=created_at`, {
      agent: false,
      headers: { authorization: `Bearer ${token}` },
    })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return response
  }

  it('is of one moment, two run at a time, and its connection goes with its client', async () => {
    const [whole, left] = [await start(), await start()]
    const refused = await exported('')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
    expect(refused.body.detail).toBe('2 exports of a workspace run at a time. Wait for one of them to end.')
    expect(await connections()).toBe(2)
    await makeLink(service, { slug: 'made-meanwhile' })
    left.destroy()
    await waitFor('the connection of the one that was left', async () => (await connections()) === 1)
    const slugs = (await text(whole))
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line).slug)
    expect(slugs).toHaveLength(count)
    expect(slugs).not.toContain('made-meanwhile')
    await waitFor('no connection', async () => (await connections()) === 0)
    expect((await exported('q=made-meanwhile')).status).toBe(200)
  })

  it('waits also where a workspace has none, while others have all that a process runs', async () => {
    const running = [await start(), await start(), await start(others), await start(others)]
    const refused = await exported('', await newWorkspace('waiting'))
    for (const response of running) response.destroy()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
    expect(refused.body.detail).toBe('Too many exports run at this moment. Wait for one of them to end.')
    await waitFor('no connection', async () => (await connections()) === 0)
  })
})
