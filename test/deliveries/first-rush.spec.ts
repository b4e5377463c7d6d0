/** A service that had little to do has small tables, and plans made for those are kept for a while when they fill. */
import { waitFor } from '../support/wait-for.js'
import { makeHook, recordEvents, startSending } from './sending.js'
import type { Sending } from './sending.js'

/** By scans of whole tables. */
async function rowsReadOnTheWay({ service }: Sending): Promise<number> {
  const [read] = await service.db.query<{ rows: string }>(
    `SELECT sum(seq_tup_read) AS rows FROM pg_stat_user_tables WHERE relname ~ '^(deliveries|attempts|events)'`,
  )
  return Number(read!.rows)
}

async function succeeded({ service }: Sending): Promise<number> {
  const [all] = await service.db.query<{ count: string }>('SELECT sum(succeeded) AS count FROM lanes')
  return Number(all!.count)
}

it('thousands of deliveries after the first few are found by their indexes', async () => {
  const sending = await startSending()
  try {
    for (let i = 0; i < 60; i++) await makeHook(sending)
    // Nothing is as small as a table that is known to be empty.
    await sending.service.db.query('ANALYZE')
    for (let i = 0; i < 10; i++) await recordEvents(sending, 1)
    await waitFor('the first few', async () => (await succeeded(sending)) === 600)
    const before = await rowsReadOnTheWay(sending)
    await recordEvents(sending, 100)
    await waitFor('all of it', async () => (await succeeded(sending)) === 6_600, 60_000)
    expect((await rowsReadOnTheWay(sending)) - before).toBeLessThan(10_000)
  } finally {
    await sending.stop()
  }
}, 90_000)
