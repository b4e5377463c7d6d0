import { once } from 'node:events'
import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { importFile, readReport } from '../../support/factories/imports.js'
import { makeLink } from '../../support/factories/links.js'
import { waitFor } from '../../support/wait-for.js'

let service: Service
let target: Service
beforeAll(async () => {
  service = await startService({ env: { ROLE: 'all' } })
  // Slugs are unique in a service, so the export is imported into another service.
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
  it.each(['csv', 'ndjson'])('as %s can be imported elsewhere without loss', async (format) => {
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
    const workspace = await target.addWorkspace(`back-${format}`)
    expect(workspace).not.toBeNull()
    const { token: targetToken } = await target.mint(undefined, `back-${format}`)
    const done = await importFile(target, file, {}, { token: targetToken, type: type.split(';')[0]! })
    expect(await readReport(target, done.id, targetToken)).toEqual([])
    expect(done).toMatchObject({ format, created: hostile.length, failed: 0 })
    const importedFields = (links: Record<string, unknown>[]) =>
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
    const list = async (from: Service, by: string) =>
      (await from.call('GET', '/v1/links?limit=100&sort=created_at', { token: by })).body.data
    expect(importedFields(await list(target, targetToken))).toEqual(
      importedFields(await list(service, token)),
    )
  })

  it('contains no cells that a spreadsheet runs as formulas', async () => {
    const token = await newWorkspace('formulas')
    for (const title of ['=1', '+1', '-1', '@x']) await makeLink(service, { title }, token)
    const { text: file } = await exported('', token)
    const titles = file
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[2])
    expect(titles.sort()).toEqual(["'+1", "'-1", "'=1", "'@x"])
  })

  it('accepts only the filters of the list', async () => {
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

  it('requires links:read', async () => {
    const { token } = await service.mint('links:write')
    expect((await exported('', token)).status).toBe(403)
  })
})

describe('a long export', () => {
  const count = 20_000
  let others: string
  /** The URLs are long, so that the export does not fit into the buffers before a client that does not read. */
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
  // Each export has its own connection, so that destroying the response closes the connection.
  const start = async (token = service.token) => {
    const request = get(`${service.origin}/api/v1/links/export?format=ndjson&sort=created_at`, {
      agent: false,
      headers: { authorization: `Bearer ${token}` },
    })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(200)
    return response
  }

  it('is a snapshot, runs twice at a time, and closes its connection when its client disconnects', async () => {
    const [complete, aborted] = [await start(), await start()]
    const refused = await exported('')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
    expect(refused.body.detail).toBe('A workspace can run 2 exports at a time. Try again when one ends.')
    expect(await connections()).toBe(2)
    await makeLink(service, { slug: 'created-during-export' })
    aborted.destroy()
    await waitFor('the connection of the aborted export to close', async () => (await connections()) === 1)
    const slugs = (await text(complete))
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line).slug)
    expect(slugs).toHaveLength(count)
    expect(slugs).not.toContain('created-during-export')
    await waitFor('no connection', async () => (await connections()) === 0)
    expect((await exported('q=created-during-export')).status).toBe(200)
  })

  it('shares its slots with exports of the audit log', async () => {
    const exportAuditLog = async () =>
      (await service.call('GET', '/v1/audit-log/export?action=token.created')).status
    const running = [await start(), await start()]
    expect(await exportAuditLog()).toBe(429)
    for (const response of running) response.destroy()
    await waitFor('no connection', async () => (await connections()) === 0)
    // An export releases its slot when it ends.
    for (let times = 0; times < 3; times++) expect(await exportAuditLog()).toBe(200)
  })

  it('is rejected when other workspaces run all exports that a process allows', async () => {
    const running = [await start(), await start(), await start(others), await start(others)]
    const refused = await exported('', await newWorkspace('waiting'))
    for (const response of running) response.destroy()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
    expect(refused.body.detail).toBe('The service is running too many exports. Try again when one ends.')
    await waitFor('no connection', async () => (await connections()) === 0)
  })
})
