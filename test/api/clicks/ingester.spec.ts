/** A failed batch of clicks is written in parts, so that one bad click does not block the others. */
import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync } from 'node:fs'

import { ClickIngester } from '../../../src/clicks/ingest/click-ingester.js'
import { IngestLoop, ingestSegments } from '../../../src/clicks/ingest/ingest-loop.js'
import { MachineLoad } from '../../../src/clicks/ingest/ingest-pace.js'
import { Locations } from '../../../src/clicks/ingest/locations.js'
import type { FromIngest } from '../../../src/clicks/ingest/messages.js'
import { quarantineClick, getQuarantineFile } from '../../../src/clicks/journal/quarantine.js'
import type { ClickJournal } from '../../../src/clicks/journal/click-journal.js'
import { decodeLines } from '../../../src/clicks/journal/click-line.js'
import { deliveryPartitions } from '../../../src/deliveries/delivery.entity.js'
import type { Visit } from '../../../src/links/redirect/redirect-handler.js'
import { connectDataSource, dataSourceOptions } from '../../../src/platform/database/data-source.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import {
  commitSegments,
  createQueue,
  getQueue,
  Journals,
  recordClicks,
  takeSegments,
  visit,
} from '../../support/journals.js'
import { waitFor } from '../../support/wait-for.js'

const log = { info: () => undefined, warn: () => undefined }

let db: TestDatabase
let journals: Journals
let ingester: ClickIngester
beforeEach(async () => {
  db = await createDatabase()
  journals = new Journals()
  ingester = createIngester()
})
afterEach(async () => {
  await ingester.close()
  await journals.stop()
  await db.drop()
})

function createIngester(url = db.url, statementTimeoutMs = 30_000): ClickIngester {
  return new ClickIngester({
    locations: new Locations(null, log),
    addressMode: 'truncate',
    connect: () => connectDataSource(dataSourceOptions(url, 1, statementTimeoutMs)),
    assignEventIds: () => Promise.resolve(null),
    deliveries: deliveryPartitions,
    quarantine: (click) => quarantineClick(`${journals.dataDir}/clicks`, click),
  })
}

/** Writes the lines directly, again and again. Adds to `direct` whether each write succeeded. */
function startDirectWrites(
  journal: ClickJournal,
  lines: Buffer,
  direct: boolean[],
  loopLog: ConstructorParameters<typeof IngestLoop>[0]['log'] = log,
): IngestLoop {
  const loop = new IngestLoop({
    queue: getQueue(journal),
    ingester: createIngester(),
    machine: new MachineLoad(),
    send: (message: FromIngest) => {
      if (message.kind === 'written') journal.noteWritten(message.paths, message.torn)
      if (message.kind !== 'direct') return
      direct.push(message.isWritten)
      loop.writeDirectly({ id: message.id + 1, lines })
    },
    log: loopLog,
  })
  loop.writeDirectly({ id: 1, lines })
  return loop
}

async function ingest(visits: readonly Visit[]): Promise<{ ids: string[] }> {
  const journal = journals.open()
  const ids = visits.map((each) => journal.appendClick(each, () => undefined, undefined))
  const segments = await takeSegments(journal)
  await ingestSegments({ queue: getQueue(journal), ingester }, segments)
  return { ids }
}

const writtenIds = async () =>
  (await db.query<{ id: string }>('SELECT id FROM clicks ORDER BY id')).map(({ id }) => id)
const quarantined = () => decodeLines(readFileSync(getQuarantineFile(`${journals.dataDir}/clicks`))).clicks

it('moves a click that can never be written to the quarantine, and writes the others', async () => {
  const bad = { ...visit, slug: 'nul\u0000' }
  const { ids } = await ingest(Array.from({ length: 100 }, (_, i) => (i === 37 ? bad : visit)))
  expect(await writtenIds()).toEqual(ids.filter((_, i) => i !== 37))
  expect(quarantined()).toMatchObject([{ ...bad, id: ids[37] }])
  expect(journals.segments()).toEqual([])
})

it('writes a batch that takes too long in parts', async () => {
  ingester = createIngester(db.url, 500)
  await db.query(`CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_sleep(0.02); RETURN NEW; END $$`)
  await db.query('CREATE TRIGGER linger BEFORE INSERT ON clicks FOR EACH ROW EXECUTE FUNCTION linger()')
  const { ids } = await ingest(Array.from({ length: 40 }, () => visit))
  expect(await writtenIds()).toEqual(ids)
  const [row] = await db.query<{ batches: number }>('SELECT count(DISTINCT tx)::int AS batches FROM clicks')
  expect(row!.batches).toBeGreaterThan(1)
  expect(journals.segments()).toEqual([])
})

it('keeps the segment while the database is unavailable, and quarantines nothing', async () => {
  ingester = createIngester('postgres://nobody@127.0.0.1:1/none')
  await expect(ingest([visit, visit])).rejects.toThrow(/cannot be reached/)
  expect(journals.segments()).toHaveLength(1)
  expect(quarantined).toThrow(/ENOENT/)
})

it('keeps a click that waits for a lock, and quarantines nothing', async () => {
  ingester = createIngester(db.url, 200)
  const other = await connectDataSource(dataSourceOptions(db.url, 1))
  const runner = other.createQueryRunner()
  await runner.startTransaction()
  await runner.query('LOCK TABLE clicks IN ACCESS EXCLUSIVE MODE')
  await expect(ingest([visit])).rejects.toThrow(/statement timeout/)
  await runner.rollbackTransaction()
  await runner.release()
  await other.destroy()
  expect(journals.segments()).toHaveLength(1)
  expect(quarantined).toThrow(/ENOENT/)
})

it('recreates a partition that was dropped after the last click of its week', async () => {
  const first = await ingest([visit])
  const [partition] = await db.query<{ relname: string }>(
    'SELECT tableoid::regclass::text AS relname FROM clicks LIMIT 1',
  )
  await db.query(`DROP TABLE "${partition!.relname}"`)
  const second = await ingest([visit])
  expect(await writtenIds()).toEqual(second.ids)
  expect(first.ids).not.toEqual(second.ids)
})

/** The loop closes its ingester when it ends. */
describe('the loop', () => {
  const stopWithinMs = 10_000

  it('keeps a segment that it cannot read, and writes it after a later scan', async () => {
    const journal = journals.open()
    const ids = await recordClicks(journal, 2)
    const [segment] = await takeSegments(journal)
    const aside = `${journals.dataDir}/aside`
    renameSync(segment!.path, aside)
    mkdirSync(segment!.path)
    let now = Date.now()
    const faults: string[] = []
    const loop = new IngestLoop({
      queue: createQueue(journal, { now: () => now, onFault: ({ message }) => void faults.push(message) }),
      ingester: createIngester(),
      machine: new MachineLoad(),
      send: (message) => message.kind === 'written' && journal.noteWritten(message.paths, message.torn),
      log,
    })
    const ended = loop.runUntilStopped()
    await waitFor('a fault', () => faults.length > 0)
    for (const written of [1, 2]) {
      await recordClicks(journal, 1)
      journal.closeSegment()
      now += 60_000
      loop.wake()
      await waitFor('another segment to be written', () => journal.segments.length === 1)
      expect(await writtenIds()).toHaveLength(written)
      expect(journal.segments).toMatchObject([segment])
    }

    rmdirSync(segment!.path)
    renameSync(aside, segment!.path)
    now += 60_000
    loop.wake()
    await waitFor('all clicks', async () => (await writtenIds()).length === 4)
    expect(await writtenIds()).toEqual(expect.arrayContaining(ids))
    loop.stop(stopWithinMs)
    await ended
    expect(faults).toEqual([expect.stringMatching(/^EISDIR/)])
    expect(journals.segments()).toEqual([])
  })

  it('empties the journal while redirects wait for direct writes all the time', async () => {
    const journal = journals.open()
    await recordClicks(journal, 3)
    const lines = readFileSync((await takeSegments(journal))[0]!.path)
    const direct: boolean[] = []
    const loop = startDirectWrites(journal, lines, direct)
    const ended = loop.runUntilStopped()
    await waitFor('an empty journal', () => journal.segments.length === 0)
    loop.stop(0)
    await ended
    expect(direct.length).toBeGreaterThan(0)
  })

  it('keeps writing directly while the oldest segment cannot be written', async () => {
    await db.query('CREATE SEQUENCE failures')
    await db.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM nextval('failures'); RAISE 'locked' USING ERRCODE = 'lock_not_available'; END $$`)
    await db.query(`CREATE TRIGGER refuse BEFORE INSERT ON clicks FOR EACH ROW
      WHEN (NEW.slug = 'stuck') EXECUTE FUNCTION refuse()`)
    const journal = journals.open()
    await recordClicks(journal, 1)
    const lines = readFileSync((await takeSegments(journal))[0]!.path)
    await commitSegments(journal, await takeSegments(journal))
    await recordClicks(journal, 1, 'stuck')
    journal.closeSegment()
    const logged: string[] = []
    const direct: boolean[] = []
    const startedAt = performance.now()
    const loop = startDirectWrites(journal, lines, direct, {
      info: (message) => logged.push(message),
      warn: (message) => logged.push(message),
    })
    const ended = loop.runUntilStopped()
    const failures = async () => {
      const [row] = await db.query<{ count: number }>('SELECT last_value::int AS count FROM failures')
      return row!.count
    }
    await waitFor('the queue to fail twice', async () => (await failures()) >= 2)
    expect(await failures()).toBeLessThanOrEqual(1 + (performance.now() - startedAt) / 1_000)
    // Dropping the trigger could deadlock with a direct write.
    await db.query(
      `CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'`,
    )
    await waitFor('an empty journal', () => journal.segments.length === 0)
    loop.stop(0)
    await ended
    expect(direct.length).toBeGreaterThan(2)
    expect(direct).not.toContain(false)
    expect(logged).toEqual([
      'Clicks cannot be moved from the journal to the database: locked',
      'Clicks are written to the database again.',
    ])
  })

  it('does not report a recovery after it skipped all segments', async () => {
    await db.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE 'locked' USING ERRCODE = 'lock_not_available'; END $$`)
    await db.query('CREATE TRIGGER refuse BEFORE INSERT ON clicks FOR EACH ROW EXECUTE FUNCTION refuse()')
    const journal = journals.open()
    await recordClicks(journal, 1)
    const [segment] = await takeSegments(journal)
    const logged: string[] = []
    const faults: string[] = []
    const loop = new IngestLoop({
      queue: createQueue(journal, { onFault: ({ message }) => void faults.push(message) }),
      ingester: createIngester(),
      machine: new MachineLoad(),
      send: () => undefined,
      log: { info: (message) => logged.push(message), warn: (message) => logged.push(message) },
    })
    const ended = loop.runUntilStopped()
    await waitFor('the failure', () => logged.length > 0)
    rmSync(segment!.path)
    mkdirSync(segment!.path)
    await waitFor('a fault', () => faults.length > 0)
    loop.stop(stopWithinMs)
    await ended
    expect(logged).toEqual(['Clicks cannot be moved from the journal to the database: locked'])
  })
})
