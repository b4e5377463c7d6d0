import { DataSource } from 'typeorm'

import { auditPartitions } from '../../../src/audit/audit-entry.entity.js'
import { clickPartitions } from '../../../src/clicks/click.entity.js'
import { deliveryPartitions } from '../../../src/deliveries/delivery.entity.js'
import { eventPartitions } from '../../../src/events/event.entity.js'
import { dataSourceOptions } from '../../../src/platform/database/data-source.js'
import { DatabaseClock } from '../../../src/platform/database/database-clock.js'
import { lowestIdAt } from '../../../src/platform/database/ids.js'
import { PartitionMaintenance } from '../../../src/platform/database/partition-maintenance.js'
import {
  dropPartitionsBefore,
  createPartitions,
  createUpcomingPartitions,
  partitionsBetween,
} from '../../../src/platform/database/partitions.js'
import { setClockDifference } from '../../../src/platform/util/clock.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { makeLink, visit } from '../../support/factories/links.js'
import { makeWebhook } from '../../support/factories/webhooks.js'
import { startService } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

const day = 86_400_000

describe('the partitions between two times', () => {
  it('cover both without gaps or overlaps, at fixed bounds', () => {
    const from = new Date('2026-01-15T12:00:00Z')
    const to = new Date('2026-07-01T00:00:00Z')
    const partitions = partitionsBetween(auditPartitions, from, to)
    expect(partitions[0]!.begin.getTime()).toBeLessThanOrEqual(from.getTime())
    expect(partitions.at(-1)!.end.getTime()).toBeGreaterThan(to.getTime())
    for (const [i, { begin, end }] of partitions.entries()) {
      expect(begin.getTime() % day).toBe(0)
      expect(end.getTime()).toBeGreaterThan(begin.getTime())
      if (i > 0) expect(begin).toEqual(partitions[i - 1]!.end)
    }
    const later = partitionsBetween(auditPartitions, new Date(from.getTime() + day), to)
    expect(partitions).toEqual(expect.arrayContaining(later))
  })

  it('include the partition that begins at the end', () => {
    const [first, second] = partitionsBetween(auditPartitions, new Date(0), new Date(100 * day)) as [any, any]
    expect(partitionsBetween(auditPartitions, first.begin, first.end)).toEqual([first, second])
  })
})

describe('partitions in the database', () => {
  let db: TestDatabase
  let dataSource: DataSource
  beforeEach(async () => {
    db = await createDatabase()
    dataSource = await new DataSource(dataSourceOptions(db.url, 10)).initialize()
  })
  afterEach(async () => {
    await dataSource.destroy()
    await db.drop()
  })

  const names = async () => {
    const rows = await db.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'audit_log'::regclass ORDER BY 1`,
    )
    return rows.map(({ name }) => name)
  }
  const insertAt = (time: Date) =>
    db.query(
      `INSERT INTO audit_log (id, workspace_id, action, object_type, details, occurred_at)
       VALUES ($1, gen_random_uuid(), 'token.created', 'token', '{}', $2)`,
      [lowestIdAt(time), time],
    )

  /** Opening a connection takes time, during which the first transaction would reach its lock timeout. */
  const openConnections = async (count: number) => {
    const runners = Array.from({ length: count }, () => dataSource.createQueryRunner())
    await Promise.all(runners.map((runner) => runner.connect()))
    await Promise.all(runners.map((runner) => runner.release()))
  }

  const allWaitForALock = (count: number) =>
    waitFor('all transactions to wait', async () => {
      const waiting = await db.query(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      return waiting.length === count
    })

  it('are created for the coming weeks at a start', async () => {
    const service = await startService({ db })
    await service.stop()
    for (const days of [0, 1, 14, 21]) await insertAt(new Date(Date.now() + days * day))
  })

  it('are created once by concurrent processes', async () => {
    const now = new Date('2031-05-05T00:00:00Z')
    const before = await names()
    await openConnections(7)
    const reader = dataSource.createQueryRunner()
    await reader.startTransaction()
    await reader.query('LOCK TABLE audit_log IN ACCESS SHARE MODE')
    const creating = Promise.all(
      Array.from({ length: 6 }, () =>
        dataSource.transaction((tx) => createUpcomingPartitions(tx, [auditPartitions], now)),
      ),
    )
    await allWaitForALock(6)
    await reader.commitTransaction()
    await reader.release()
    await creating
    const after = await names()
    expect(after.length).toBeGreaterThan(before.length)
    expect(new Set(after).size).toBe(after.length)
    await insertAt(now)
    await insertAt(new Date(now.getTime() + 21 * day))
    await dataSource.transaction((tx) => createUpcomingPartitions(tx, [auditPartitions], now))
    expect(await names()).toEqual(after)
  })

  it('are dropped by concurrent processes without errors', async () => {
    const kept = partitionsBetween(auditPartitions, new Date('2021-01-01'), new Date('2021-06-01'))
    await dataSource.transaction((tx) => createPartitions(tx, kept))
    const before = await names()
    const old = partitionsBetween(auditPartitions, new Date('2020-01-01'), new Date('2020-06-01'))
    await dataSource.transaction((tx) => createPartitions(tx, old))
    await openConnections(5)
    const reader = dataSource.createQueryRunner()
    await reader.startTransaction()
    await reader.query('SELECT count(*) FROM audit_log')
    const dropping = Promise.all(
      Array.from({ length: 4 }, () =>
        dataSource.transaction((tx) => dropPartitionsBefore(tx, auditPartitions, new Date('2021-01-01'))),
      ),
    )
    await allWaitForALock(4)
    await reader.commitTransaction()
    await reader.release()
    await dropping
    expect(await names()).toEqual(before)
  })

  it('do not delay a start when a reader holds a lock for long', async () => {
    await (await startService({ db })).stop()
    // The partition is needed in two weeks or later, so the start can do without it.
    const last = partitionsBetween(eventPartitions, new Date(), new Date(Date.now() + 21 * day)).at(-1)!
    await dataSource.query(`DROP TABLE ${last.name}`)
    const backup = dataSource.createQueryRunner()
    await backup.startTransaction()
    await backup.query('SELECT count(*) FROM events')
    const starting = startService({ db })
    try {
      await allWaitForALock(1)
      await db.query('SELECT count(*) FROM events')
      await starting
    } finally {
      await backup.rollbackTransaction()
      await backup.release()
      await (await starting).stop()
    }
  })

  it('are dropped after their retention, but not at a start and not while they are read', async () => {
    const [old] = partitionsBetween(clickPartitions, new Date('2020-01-01'), new Date('2020-01-01'))
    await dataSource.transaction((tx) => createPartitions(tx, [old!]))
    const exists = async () => {
      const [row] = await dataSource.query('SELECT to_regclass($1) IS NOT NULL AS is_there', [old!.name])
      return row.is_there
    }
    const service = await startService({ db })
    const maintenance = service.app.get(PartitionMaintenance, { strict: false })
    const backup = dataSource.createQueryRunner()
    try {
      expect(await exists()).toBe(true)
      await backup.startTransaction()
      await backup.query('SELECT count(*) FROM clicks')
      const failed = expect(maintenance.maintainPartitions()).rejects.toThrow(/lock timeout/)
      await allWaitForALock(1)
      await db.query('SELECT count(*) FROM clicks')
      await failed
      expect(await exists()).toBe(true)
      await backup.rollbackTransaction()
      await maintenance.maintainPartitions()
      expect(await exists()).toBe(false)
    } finally {
      await backup.release()
      await service.stop()
    }
  })

  it('are created soon after the clock jumped past the last partition', async () => {
    const service = await startService({ db })
    service.app.get(DatabaseClock, { strict: false }).onApplicationShutdown()
    try {
      setClockDifference(40 * day)
      const body = { url: 'https://target.example/' }
      await waitFor(
        'a link to be created',
        async () => (await service.call('POST', '/v1/links', { body })).status === 201,
      )
    } finally {
      setClockDifference(0)
      await service.stop()
    }
  })

  it('are reported missing once in an outage that begins before midnight', async () => {
    let lines = ''
    const service = await startService({ db, onLog: (text) => (lines += text) })
    service.app.get(DatabaseClock, { strict: false }).onApplicationShutdown()
    const maintenance = service.app.get(PartitionMaintenance, { strict: false })
    const reader = dataSource.createQueryRunner()
    const failures = () => lines.split('Partitions could not be created').length - 1
    try {
      await reader.startTransaction()
      await reader.query('SELECT count(*) FROM events')
      setClockDifference(40 * day)
      await maintenance.checkForNewDay()
      await maintenance.checkForNewDay()
      expect(failures()).toBe(1)
      await reader.rollbackTransaction()
      await maintenance.checkForNewDay()
      await insertAt(new Date(Date.now() + 40 * day))
      expect(failures()).toBe(1)
    } finally {
      setClockDifference(0)
      await reader.release()
      await service.stop()
    }
  })

  it('are created for the deliveries of a click', async () => {
    const service = await startService({ db })
    try {
      const link = await makeLink(service)
      await makeWebhook(service, { events: ['click'] })
      const [current] = partitionsBetween(deliveryPartitions, new Date(), new Date())
      await db.query(`DROP TABLE "${current!.name}"`)
      await visit(service, link.slug)
      await waitFor('the delivery', async () => (await db.query('SELECT FROM deliveries')).length === 1)
    } finally {
      await service.stop()
    }
  })

  it('include their begin and exclude their end', async () => {
    const [first] = partitionsBetween(auditPartitions, new Date('2035-01-01'), new Date('2035-03-01'))
    const both = partitionsBetween(auditPartitions, first!.begin, first!.end)
    await dataSource.transaction((tx) => createPartitions(tx, both))
    await insertAt(new Date(first!.end.getTime() - 1))
    await insertAt(first!.end)
    const counts = await db.query<{ name: string }>(
      `SELECT tableoid::regclass::text AS name FROM audit_log WHERE occurred_at >= '2034-12-01' ORDER BY id`,
    )
    expect(counts.map(({ name }) => name)).toEqual(both.map(({ name }) => name))
  })

  it('do not block readers and writers when the upcoming partitions exist', async () => {
    const now = new Date('2040-01-01T00:00:00Z')
    await dataSource.transaction((tx) => createUpcomingPartitions(tx, [auditPartitions], now))
    await dataSource.transaction(async (reader) => {
      await reader.query('SELECT count(*) FROM audit_log')
      await dataSource.transaction((tx) => createUpcomingPartitions(tx, [auditPartitions], now))
    })
  })
})
