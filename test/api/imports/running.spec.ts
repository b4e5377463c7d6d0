/** The order, cancellation and expiry of running imports. */
import { getDataSourceToken } from '@nestjs/typeorm'
import type { DataSource } from 'typeorm'

import type { Import } from '../../../src/links/import/import.entity.js'
import { ImportRunner } from '../../../src/links/import/import-runner.js'
import { MaintainImportsJob } from '../../../src/links/import/import-jobs.js'
import { ImportsRepository } from '../../../src/links/import/imports.repository.js'
import { decodeId } from '../../../src/platform/database/ids.js'
import { QueueProcessor } from '../../../src/platform/queue/queue.processor.js'
import { readEvents } from '../../support/factories/events.js'
import { startService } from '../../support/service.js'
import type { ServiceResponse, Service } from '../../support/service.js'
import { waitForImport, importFile, upload } from '../../support/factories/imports.js'
import type { ImportResponse } from '../../support/factories/imports.js'
import { duringTransaction } from '../../support/transactions.js'
import { waitFor } from '../../support/wait-for.js'

const url = 'https://target.example/'
const createCsvLines = (count: number) =>
  `url\n${Array.from({ length: count }, (_, i) => `${url}${i}\n`).join('')}`

describe('imports of a workspace', () => {
  // Without a worker, imports run only when a test runs them.
  let service: Service
  let imports: ImportsRepository
  beforeAll(async () => {
    service = await startService()
    imports = service.app.get(ImportsRepository)
    await service.addWorkspace('others')
  })
  afterAll(() => service.stop())

  const accept = async (token = service.token) =>
    (await upload(service, createCsvLines(3), {}, { token })).body.id as string
  const uuid = (id: string) => decodeId('imp', id)!
  const runner = () => crypto.randomUUID()

  it('run two at a time, in the order of their uploads', async () => {
    const ids: string[] = []
    for (let i = 0; i < 4; i++) ids.push(uuid(await accept()))
    const { token } = await service.mint(undefined, 'others')
    const other = uuid(await accept(token))
    const [first, second, third, fourth] = ids as [string, string, string, string]
    const isClaimed = async (id: string) => (await imports.claimImport(id, runner())) !== null

    expect(await imports.findRunnable()).toEqual([first, other])
    expect(await isClaimed(fourth)).toBe(false)
    expect(await isClaimed(first)).toBe(true)
    expect(await isClaimed(third)).toBe(false)
    expect(await isClaimed(second)).toBe(true)
    expect(await isClaimed(third)).toBe(false)
    expect(await imports.findRunnable()).toEqual([other])
    await imports.cancel(first)
    expect(await imports.findRunnable()).toEqual([third, other])
    expect(await isClaimed(third)).toBe(true)
    expect(await isClaimed(other)).toBe(true)
    for (const id of [...ids, other]) await imports.cancel(id)
    expect(await imports.findRunnable()).toEqual([])
  })

  it('are not canceled with an ETag that a concurrent change has made stale', async () => {
    const { body, headers } = await upload(service, createCsvLines(3))
    const path = `/v1/imports/${body.id}`
    let canceled: Promise<ServiceResponse> | undefined
    await duringTransaction(service, async (tx) => {
      await tx.query(`UPDATE imports SET status = 'running' WHERE id = $1`, [uuid(body.id as string)])
      canceled = service.call('DELETE', path, { headers: { 'if-match': headers.get('etag')! } })
      await waitFor('the cancellation to wait', async () => {
        const waiting = await service.db.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
        return waiting.length > 0
      })
    })
    expect((await canceled)?.status).toBe(412)
    expect((await service.call('GET', path)).body.status).toBe('running')
    await imports.cancel(uuid(body.id as string))
  })

  it('have one runner until its lease ends', async () => {
    const id = uuid(await accept())
    const claims = await Promise.all(Array.from({ length: 5 }, () => imports.claimImport(id, runner())))
    const [firstClaim, ...otherClaims] = claims.filter((each) => each !== null)
    expect(otherClaims).toEqual([])
    const dataSource = service.app.get<DataSource>(getDataSourceToken())
    const mayStep = (held: Import) => dataSource.transaction((tx) => imports.lockForStep(tx, held))
    expect(await mayStep(firstClaim!)).toBe(true)
    await service.db.query(`UPDATE imports SET lease_until = now() - interval '1 second' WHERE id = $1`, [id])
    const secondClaim = await imports.claimImport(id, runner())
    // The lease of the first runner has ended.
    expect(await mayStep(firstClaim!)).toBe(false)
    expect(await mayStep(secondClaim!)).toBe(true)
    await imports.cancel(id)
    expect(await mayStep(secondClaim!)).toBe(false)
  })
})

describe('an import', () => {
  let service: Service
  beforeAll(async () => (service = await startService({ env: { ROLE: 'all' } })))
  afterAll(() => service.stop())

  const links = async () => {
    const [row] = await service.db.query<{ count: number }>('SELECT count(*)::int AS count FROM links')
    return row!.count
  }

  /** Returns the imports of the events `import.finished` for an import. */
  const listImportReports = async (id: string) =>
    (await readEvents(service, service.token, '&type=import.finished'))
      .map(({ data }) => data.import)
      .filter((each) => each.id === id)

  it('runs once with several concurrent runners', async () => {
    const before = await links()
    const { body } = await upload(service, createCsvLines(1500))
    const runner = service.app.get(ImportRunner)
    const id = decodeId('imp', body.id)!
    await Promise.all(Array.from({ length: 4 }, () => runner.run(id)))
    expect(await waitForImport(service, body.id)).toMatchObject({
      status: 'finished',
      created: 1500,
      failed: 0,
    })
    expect((await links()) - before).toBe(1500)
    expect(await listImportReports(body.id)).toEqual([
      (await service.call('GET', `/v1/imports/${body.id}`)).body,
    ])
  })

  it('that is canceled stops and keeps its links', async () => {
    const before = await links()
    const { body } = await upload(service, createCsvLines(20_000))
    const path = `/v1/imports/${body.id}`
    await waitFor('the first lines', async () => (await service.call('GET', path)).body.lines > 0)
    for (let i = 0; i < 2; i++) expect((await service.call('DELETE', path)).status).toBe(204)
    const { body: stopped } = await service.call('GET', path)
    expect(stopped).toMatchObject({ status: 'canceled', finished_at: expect.any(String) })
    expect(stopped.lines).toBeLessThan(20_000)
    expect(await listImportReports(body.id)).toEqual([stopped])
    // A step that was running at the cancellation is rolled back.
    const after = await importFile(service, createCsvLines(1))
    expect(after.status).toBe('finished')
    expect((await links()) - before).toBe((stopped.created as number) + 1)
    expect((await service.call('GET', path)).body).toEqual(stopped)
  })

  it('cannot be canceled with an ETag from before it ended', async () => {
    const { body, headers } = await upload(service, createCsvLines(1))
    const path = `/v1/imports/${body.id}`
    const etag = headers.get('etag')!
    await waitForImport(service, body.id)
    const cancel = (tag: string) => service.call('DELETE', path, { headers: { 'if-match': tag } })
    expect((await cancel(etag)).body.code).toBe('precondition_failed')
    const current = (await service.call('GET', path)).headers.get('etag')!
    expect([current === etag, (await cancel(current)).status]).toEqual([false, 204])
  })

  it('of a killed process is resumed', async () => {
    const { body } = await upload(service, createCsvLines(3))
    const first = await waitForImport(service, body.id)
    // The state after a kill before the first step.
    await service.db.query(
      `UPDATE imports SET status = 'running', finished_at = NULL, runner = gen_random_uuid(), lease_until = now() - interval '1 second'
       WHERE id = $1`,
      [decodeId('imp', first.id)],
    )
    await service.app.get(MaintainImportsJob).handle()
    expect((await waitForImport(service, first.id)).status).toBe('finished')
  })

  it('that keeps failing ends as failed with a reason', async () => {
    const { body } = await upload(service, createCsvLines(3))
    const { id } = await waitForImport(service, body.id)
    await service.db.query(
      `UPDATE imports SET status = 'running', finished_at = NULL, attempts = 20, lease_until = NULL WHERE id = $1`,
      [decodeId('imp', id)],
    )
    await service.app.get(MaintainImportsJob).handle()
    const failed: ImportResponse = await waitForImport(service, id)
    expect(failed).toMatchObject({ status: 'failed', created: 3 })
    expect(failed.error).toMatch(/^The service failed repeatedly at line/)
    expect((await listImportReports(id)).at(-1)).toEqual(failed)
  })

  it('is deleted seven days after its end, with its file and report', async () => {
    const { id } = await importFile(service, `url\nnonsense\n${url}`)
    const recent = await importFile(service, `url\nnonsense\n${url}`)
    const age = (which: string, days: number) =>
      service.db.query(
        `UPDATE imports SET finished_at = now() - make_interval(hours => $2::integer) WHERE id = $1`,
        [decodeId('imp', which), Math.round(days * 24)],
      )
    await age(id, 7.1)
    await age(recent.id, 6.9)
    await service.app.get(MaintainImportsJob).handle()
    expect((await service.call('GET', `/v1/imports/${id}`)).status).toBe(404)
    expect((await service.call('GET', `/v1/imports/${id}/report`)).status).toBe(404)
    expect((await service.call('GET', `/v1/imports/${recent.id}`)).status).toBe(200)
    const remaining = async (table: string) =>
      service.db.query(`SELECT 1 FROM ${table} WHERE import_id = $1`, [decodeId('imp', id)])
    for (const table of ['import_chunks', 'import_faults']) expect(await remaining(table)).toEqual([])
  })

  it('is deleted even if its dry run stored more slugs than one statement may delete', async () => {
    const { id } = await importFile(service, `url,slug\n${url},used`, { dry_run: 'true' })
    const stored = decodeId('imp', id)!
    await service.db.query(
      `INSERT INTO import_dry_run_keys SELECT $1, 'slug many' || i FROM generate_series(1, 9999) AS i`,
      [stored],
    )
    await service.db.query(`UPDATE imports SET finished_at = now() - interval '8 days' WHERE id = $1`, [
      stored,
    ])
    await service.db.query(`
      CREATE FUNCTION reject_many() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN ASSERT (SELECT count(*) FROM deleted) <= 5000; RETURN NULL; END';
      CREATE TRIGGER reject_many AFTER DELETE ON import_dry_run_keys REFERENCING OLD TABLE AS deleted
        EXECUTE FUNCTION reject_many()`)
    try {
      await service.app.get(MaintainImportsJob).handle()
    } finally {
      await service.db.query('DROP FUNCTION reject_many CASCADE')
    }
    expect((await service.call('GET', `/v1/imports/${id}`)).status).toBe(404)
  })

  // Last, because the worker takes no further jobs.
  it('that fails does not delay the imports of other workspaces', async () => {
    await service.addWorkspace('others')
    const { token } = await service.mint(undefined, 'others')
    const failing = await importFile(service, createCsvLines(3))
    const other = await importFile(service, createCsvLines(3), {}, { token })
    const [failingId, otherId] = [decodeId('imp', failing.id)!, decodeId('imp', other.id)!]
    await service.app.get(QueueProcessor).stopTaking()
    await service.db.query('DELETE FROM import_chunks WHERE import_id = $1', [failingId])
    await service.db.query(
      `UPDATE imports SET status = 'running', finished_at = NULL, lease_until = NULL,
         body_offset = CASE WHEN id = $1 THEN 0 ELSE bytes END
       WHERE id IN ($1, $2)`,
      [failingId, otherId],
    )
    await service.app.get(ImportRunner).run(failingId)
    const getImportStatus = async ({ id }: ImportResponse, as: string) =>
      (await service.call('GET', `/v1/imports/${id}`, { token: as })).body.status
    expect(await getImportStatus(other, token)).toBe('finished')
    expect(await getImportStatus(failing, service.token)).toBe('running')
  })
})
