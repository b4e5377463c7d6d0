/** Backups of an external PostgreSQL, and of an older schema. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

import { TokenUse } from '../../../src/auth/token-cache.js'
import { history } from '../../../src/migrations/history.js'
import { runMigrations } from '../../../src/platform/database/data-source.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { spawnService } from '../../support/process.js'
import { encryptionKey, pepper, startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

let folder: string
let service: Service
let target: TestDatabase
let file: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'link-service-external-'))
  file = join(folder, 'external.backup.gz')
  service = await startService()
  target = await createDatabase()
})
afterAll(async () => {
  await service.stop()
  await target.drop()
  rmSync(folder, { recursive: true, force: true })
})

const run = async (args: string[], url: string) => {
  const env = { DATABASE_URL: url, DATA_DIR: folder, TOKEN_PEPPER: pepper, ENCRYPTION_KEY: encryptionKey }
  const { gone, output, errors } = spawnService(args, env)
  return { code: await gone, out: output(), err: errors() }
}
const feedPlace = async (db: TestDatabase): Promise<bigint> => {
  const [row] = await db.query<{ place: string }>(
    'SELECT (pg_current_xact_id()::text::bigint + first_tx)::text AS place FROM feed_epoch',
  )
  return BigInt(row!.place)
}

it('restores into another database, with partitions, sequences and feeds that continue', async () => {
  const title = 'Tab\tand \\. and ünïcode'
  const { status } = await service.call('POST', '/v1/links', {
    body: { url: 'https://target.example/', title: 'to replace', tags: ['one', 'two'] },
  })
  expect(status).toBe(201)
  await service.db.query('UPDATE links SET title = $1, note = $2', [title, '\\.\n\\.\n'])
  await service.db.query(`INSERT INTO click_targets (link_id, slug, url) SELECT id, slug, url FROM links`)
  await service.db.query(`INSERT INTO visitor_salts (day, salt) VALUES (current_date, '\\x00')`)
  // The use of the token would otherwise be written up to ten seconds later, after the backup.
  await service.app.get(TokenUse).beforeApplicationShutdown()
  const backup = await run(['backup', file], service.db.url)
  expect(backup).toMatchObject({ code: 0, err: '' })

  const missing = join(folder, 'missing')
  expect(await run(['backup', join(missing, 'a.backup.gz')], service.db.url)).toEqual({
    code: 1,
    out: '',
    err: `The folder ${missing} does not exist. Create it, or choose another file.\n`,
  })

  const refused = await run(['restore', file], service.db.url)
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^A service is connected|already contains/),
  })

  expect(await run(['restore', file], target.url)).toMatchObject({ code: 0, err: '' })
  for (const table of ['links', 'link_counters', 'events', 'audit_log', 'tokens', 'click_targets'])
    expect(await target.query(`SELECT * FROM ${table} ORDER BY 1`)).toEqual(
      await service.db.query(`SELECT * FROM ${table} ORDER BY 1`),
    )
  expect(await target.query('SELECT FROM visitor_salts')).toEqual([])
  expect(await target.query('SELECT title, note FROM links')).toEqual([{ title, note: '\\.\n\\.\n' }])
  await target.query(
    `INSERT INTO click_targets (link_id, slug, url) VALUES (new_id(), 'next', 'https://next.example/')`,
  )
  // Feeds continue after everything that the first database has written or writes soon.
  expect(await feedPlace(target)).toBeGreaterThan((await feedPlace(service.db)) + 1_000_000n)

  const again = await run(['restore', file], target.url)
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('The database already contains data') })
}, 60_000)

it('restores into a database without tables, and leaves no migrations pending', async () => {
  const empty = await createDatabase()
  try {
    await empty.query('DROP SCHEMA public, bullmq CASCADE')
    await empty.query('CREATE SCHEMA public')
    expect(await run(['restore', file], empty.url)).toMatchObject({ code: 0, err: '' })
    expect(await run(['migrate'], empty.url)).toEqual({ code: 0, out: 'Nothing to apply.\n', err: '' })
  } finally {
    await empty.drop()
  }
}, 60_000)

it('leaves out the tables of other applications, and skips those that a file contains', async () => {
  const restored = await createDatabase()
  try {
    await service.db.query('CREATE TABLE "Members" (id int PRIMARY KEY, name text)')
    await service.db.query(`INSERT INTO "Members" VALUES (1, 'someone else')`)
    const own = join(folder, 'shared.backup.gz')
    expect(await run(['backup', own], service.db.url)).toMatchObject({ code: 0, err: '' })
    expect(gunzipSync(readFileSync(own)).toString()).not.toContain('someone else')

    const older = join(folder, 'with-members.backup.gz')
    writeFileSync(older, addTable(readFileSync(own), 'Members', '1\tsomeone else\n'))
    expect(await run(['restore', older], restored.url)).toMatchObject({
      code: 0,
      out: expect.stringContaining('Skipped tables that are not part of the service: Members.'),
      err: '',
    })
    expect(await restored.query('SELECT id FROM links')).toEqual(
      await service.db.query('SELECT id FROM links'),
    )
  } finally {
    await service.db.query('DROP TABLE IF EXISTS "Members"')
    await restored.drop()
  }
}, 60_000)

/** Adds a table with one row to the backup, as the last one. */
function addTable(backup: Buffer, name: string, row: string): Buffer {
  const lines = gunzipSync(backup).toString().split('\n')
  const header = JSON.parse(lines[0]!)
  const columns = ['id', 'name']
  const content = [
    JSON.stringify({ ...header, tables: [...header.tables, { name, columns, partitions: [] }] }),
    ...lines.slice(1, -2),
    JSON.stringify({ name, columns }),
    `${row}\\.\n`,
  ].join('\n')
  const { rows } = JSON.parse(lines.at(-2)!)
  const sha256 = createHash('sha256').update(content).digest('hex')
  return gzipSync(`${content}${JSON.stringify({ rows: { ...rows, [name]: 1 }, sha256 })}\n`)
}

it('upgrades a backup of an older schema', async () => {
  const [old, upgraded, migrated] = [await createDatabase(), await createDatabase(), await createDatabase()]
  try {
    for (const db of [old, upgraded]) await db.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    await runMigrations(old.url, history.slice(0, 1))
    await old.query(`INSERT INTO workspaces (id, name, created_at) VALUES (new_id(), 'old', now())`)
    await old.query(
      `INSERT INTO webhooks (id, workspace_id, url, events, status, max_in_flight, sealed_secret, secret_hint, created_at, updated_at)
       SELECT new_id(), id, 'https://receiver.example/', '{*}', 'active', 10, '', '', now(), now() FROM workspaces`,
    )
    const oldFile = join(folder, 'old.backup.gz')
    expect(await run(['backup', oldFile], old.url)).toMatchObject({ code: 0, err: '' })
    // Migrations after those of the backup may change rows, so they must run after the restore.
    expect(await run(['restore', oldFile], migrated.url)).toMatchObject({
      code: 1,
      err: expect.stringContaining('has later migrations than the backup'),
    })
    expect(await run(['restore', oldFile], upgraded.url)).toMatchObject({ code: 0, err: '' })
    expect(await upgraded.query('SELECT format, ordered FROM webhooks')).toEqual([
      { format: 'standard', ordered: false },
    ])
  } finally {
    await old.drop()
    await upgraded.drop()
    await migrated.drop()
  }
}, 60_000)
