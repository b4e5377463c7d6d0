/** Cached plans for small tables must stay efficient when the tables grow. */
import { waitFor } from '../../support/wait-for.js'
import { createHook, recordEvents, startSending } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'

/** Returns the rows read by sequential scans and the entries read from indexes. */
async function countRowsRead({ service }: Sending): Promise<{ inTables: number; inIndexes: number }> {
  const [read] = await service.db.query<{ tables: string; indexes: string }>(
    `SELECT
       (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname ~ '^(deliveries|attempts|events)') AS tables,
       (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname ~ '^(lanes|deliveries|attempts|events)') AS indexes`,
  )
  return { inTables: Number(read!.tables), inIndexes: Number(read!.indexes) }
}

async function succeeded({ service }: Sending): Promise<number> {
  const [all] = await service.db.query<{ count: string }>('SELECT sum(succeeded) AS count FROM lanes')
  return Number(all!.count)
}

it('uses an index to find deliveries when thousands follow the first few', async () => {
  const sending = await startSending()
  try {
    for (let i = 0; i < 60; i++) await createHook(sending)
    // With statistics of empty tables, the planner prefers scans.
    await sending.service.db.query('ANALYZE')
    for (let i = 0; i < 10; i++) await recordEvents(sending, 1)
    await waitFor('the first deliveries', async () => (await succeeded(sending)) === 600)
    const before = await countRowsRead(sending)
    await recordEvents(sending, 100)
    await waitFor('all deliveries', async () => (await succeeded(sending)) === 6_600, 60_000)
    const after = await countRowsRead(sending)
    expect(after.inTables - before.inTables).toBeLessThan(10_000)
    // Each of the 6,000 deliveries is read about ten times. A wrong index would read millions of rows.
    expect(after.inIndexes - before.inIndexes).toBeLessThan(300_000)
  } finally {
    await sending.stop()
  }
}, 90_000)
