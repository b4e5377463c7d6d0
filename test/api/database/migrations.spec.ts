import { getDataSourceToken } from '@nestjs/typeorm'
import type { DataSource, QueryRunner } from 'typeorm'

import { history } from '../../../src/migrations/history.js'
import { StartupError } from '../../../src/platform/config/startup-error.js'
import { runMigrations, refusePendingMigrations } from '../../../src/platform/database/data-source.js'
import { backedUpTables, excludedTables } from '../../../src/tools/backup/backup-tables.js'
import { connectTo, createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { startService } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

let db: TestDatabase
beforeEach(async () => (db = await createDatabase()))
afterEach(() => db.drop())

const empty = () => db.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
const tables = async () => {
  const rows = await db.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'i', 'I') ORDER BY relname`,
  )
  return rows.map(({ name }) => name)
}

describe('migrate', () => {
  it('applies each migration once when several processes migrate an empty database', async () => {
    const expected = await tables()
    await empty()
    const applied = await Promise.all(Array.from({ length: 6 }, () => runMigrations(db.url, history)))

    const busy = applied.filter((names) => names.length > 0)
    expect(busy).toHaveLength(1)
    const recorded = await db.query<{ name: string }>('SELECT name FROM migrations ORDER BY id')
    expect(recorded.map(({ name }) => name)).toEqual(busy[0])
    expect(await tables()).toEqual(expected)
  })

  it('creates only tables that are listed as backed up or excluded', async () => {
    const rows = await db.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
    )
    expect(rows.map(({ name }) => name).sort()).toEqual([...backedUpTables, ...excludedTables].sort())
  })

  it('does nothing the second time', async () => {
    expect(await runMigrations(db.url, history)).toEqual([])
  })

  it('ignores the time limits of the database role', async () => {
    const [role] = await db.query<{ name: string }>(
      `SELECT format('%I IN DATABASE %I', current_user, current_database()) AS name`,
    )
    await empty()
    await db.query(`ALTER ROLE ${role!.name} SET statement_timeout = '1ms'`)
    expect(await runMigrations(db.url, history)).toHaveLength(history.length)
  })

  it('waits for a long transaction without blocking other statements', async () => {
    class Widen1999999999999 {
      readonly name = 'Widen1999999999999'
      up = (runner: QueryRunner) => runner.query('ALTER TABLE links ADD COLUMN width int')
      down = () => Promise.resolve()
    }
    const [reader, caller] = [await connectTo(db.url), await connectTo(db.url)]
    await reader.query('BEGIN')
    await reader.query('SELECT FROM links')
    const migrating = runMigrations(db.url, [...history, Widen1999999999999])
    await waitFor('the migration to wait', async () => {
      const waiting = await db.query('SELECT FROM pg_locks WHERE NOT granted AND relation = $1::regclass', [
        'links',
      ])
      return waiting.length > 0
    })
    await caller.query(`SET statement_timeout = '10s'`)
    await caller.query('SELECT FROM links')
    await reader.query('COMMIT')
    expect(await migrating).toEqual(['Widen1999999999999'])
    await Promise.all([reader.drop(), caller.drop()])
  })

  it('gives up its locks before a transaction of the service loses a deadlock', async () => {
    class Widen1999999999999 {
      readonly name = 'Widen1999999999999'
      up = async (runner: QueryRunner) => {
        await runner.query('ALTER TABLE webhooks ADD COLUMN width int')
        await runner.query('SELECT pg_sleep(0.5)')
        await runner.query('ALTER TABLE links ADD COLUMN width int')
      }
      down = () => Promise.resolve()
    }
    const caller = await connectTo(db.url)
    await caller.query('BEGIN')
    await caller.query('LOCK TABLE links IN ROW EXCLUSIVE MODE')
    const migrating = runMigrations(db.url, [...history, Widen1999999999999])
    await waitFor('the first lock of the migration', async () => {
      const locks = await db.query(
        `SELECT FROM pg_locks WHERE relation = 'webhooks'::regclass AND mode = 'AccessExclusiveLock' AND granted`,
      )
      return locks.length > 0
    })
    // Waits for the migration, which then waits for the caller.
    await caller.query('SELECT FROM webhooks')
    await caller.query('COMMIT')
    expect(await migrating).toEqual(['Widen1999999999999'])
    await caller.drop()
  })

  it('releases all locks and connections', async () => {
    await empty()
    await runMigrations(db.url, history)
    const remaining = () =>
      db.query(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
         UNION SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = database
         WHERE locktype = 'advisory' AND datname = current_database()`,
      )
    await waitFor('the connections to close', async () => (await remaining()).length === 0)
  })

  it('reports an unreachable database in one line', async () => {
    const error = await runMigrations('postgres://nobody:secret-password@127.0.0.1:1/none', history).catch(
      (each: unknown) => each,
    )
    expect(error).toBeInstanceOf(StartupError)
    expect((error as Error).message).toMatch(/^The database in DATABASE_URL cannot be reached: [^\n]+$/)
    expect((error as Error).message).not.toContain('secret-password')
  })
})

describe('a start without MIGRATE', () => {
  it('succeeds when no migration is pending', async () => {
    await expect(refusePendingMigrations(db.url, history)).resolves.toBeUndefined()
  })

  it('fails on an empty database, and leaves it empty', async () => {
    await empty()
    await expect(refusePendingMigrations(db.url, history)).rejects.toThrow(StartupError)
    await expect(refusePendingMigrations(db.url, history)).rejects.toThrow('npm run migrate')
    expect(await tables()).not.toContain('tokens')
  })

  it('fails when a migration is pending', async () => {
    await db.query('DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations)')
    await expect(refusePendingMigrations(db.url, history)).rejects.toThrow('pending migrations')
  })
})

describe('a database from before 0.1.0', () => {
  beforeEach(async () => {
    await db.query('DELETE FROM migrations WHERE id > (SELECT min(id) FROM migrations)')
    await db.query(`UPDATE migrations SET name = 'Ground1763700000000', timestamp = 1763700000000`)
  })

  it.each([
    ['migrate', () => runMigrations(db.url, history)],
    ['a start', () => refusePendingMigrations(db.url, history)],
  ])('is rejected by %s in one line that says what to do', async (_, open) => {
    const error = await open().catch((each: unknown) => each)
    expect(error).toBeInstanceOf(StartupError)
    expect((error as Error).message).toMatch(/^This database is from a version before 0\.1\.0 [^\n]+$/)
    expect((error as Error).message).toContain('docs/upgrading.md')
    expect(await db.query('SELECT name FROM migrations')).toEqual([{ name: 'Ground1763700000000' }])
  })
})

describe('the entities', () => {
  it('match the migrations', async () => {
    const service = await startService({ db })
    try {
      const pending = async () => {
        const schema = service.app.get<DataSource>(getDataSourceToken()).driver.createSchemaBuilder()
        return (await schema.log()).upQueries.map(({ query }) => query)
      }
      expect(await pending()).toEqual([])

      await db.query('ALTER TABLE tokens ALTER COLUMN name DROP NOT NULL')
      expect(await pending()).not.toEqual([])
    } finally {
      await service.stop()
    }
  })
})
