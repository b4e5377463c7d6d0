/** Kills the service during a large import. IMPORT_LINES=100000 runs the test in full. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { OwnPostgres } from '../../support/own-postgres.js'
import { startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { call, encryptionKey, pepper } from '../../support/service.js'
import { waitForImport, importFile, readReport, upload } from '../../support/factories/imports.js'
import { waitFor } from '../../support/wait-for.js'

const count = Number(process.env['IMPORT_LINES'] ?? 10_000)
const badEvery = count / 200
const target = 'https://target.example/'

const lines = Array.from({ length: count }, (_, i) =>
  i % badEvery === 3 ? `not a URL,line-${i}` : `${target}${i},line-${i}`,
)
const badLines = lines.flatMap((line, i) => (line.startsWith('not') ? [i + 2] : []))

describe('a service killed during an import', () => {
  let db: OwnPostgres
  let dataDir: string
  let running: ServiceProcess
  let token = ''

  const start = async () => {
    running = await startProcess({
      DATABASE_URL: db.url,
      TOKEN_PEPPER: pepper,
      ENCRYPTION_KEY: encryptionKey,
      DATA_DIR: dataDir,
      RATE_LIMIT: 'off',
    })
    token ||= running.firstToken!
  }
  const service = () => ({
    token,
    call: (method: string, path: string, options: Parameters<typeof call>[3] = {}) =>
      call(running.origin, method, path, { token, ...options }),
  })

  beforeAll(async () => {
    db = await OwnPostgres.start()
    dataDir = await mkdtemp(join(tmpdir(), 'link service import '))
    await start()
  })
  afterAll(async () => {
    await running.stop()
    await db.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('resumes the import, creates each valid link once with one event, and reports each invalid line', async () => {
    const { status, body, text } = await upload(service(), `url,slug\n${lines.join('\n')}\n`)
    expect({ status, text }).toMatchObject({ status: 202 })
    const id = body.id as string
    const linesDone = async () => (await service().call('GET', `/v1/imports/${id}`)).body.lines as number

    for (const share of [0.25, 0.6]) {
      await waitFor(
        `${share * 100} % of the lines`,
        async () => (await linesDone()) >= count * share,
        240_000,
      )
      running.kill()
      await running.gone
      await start()
      // The progress does not go back after a restart.
      expect(await linesDone()).toBeGreaterThanOrEqual(count * share)
    }
    const finished = await waitFor(
      'the end of the import',
      async () => {
        const { body: current } = await service().call('GET', `/v1/imports/${id}`)
        return current.finished_at ? current : null
      },
      400_000,
    )
    expect(finished).toMatchObject({
      status: 'finished',
      lines: count,
      created: count - badLines.length,
      failed: badLines.length,
    })

    expect((await readReport(service(), id)).map(({ line }) => line)).toEqual(badLines)
    const [links] = await db.query<Record<string, number>>(
      `SELECT count(*)::int AS links, count(DISTINCT slug)::int AS slugs FROM links`,
    )
    expect(links).toEqual({ links: count - badLines.length, slugs: count - badLines.length })
    const [events] = await db.query<Record<string, number>>(
      `SELECT count(*)::int AS events, count(DISTINCT link_id)::int AS links FROM events WHERE type = 'link.created'`,
    )
    expect(events).toEqual({ events: count - badLines.length, links: count - badLines.length })
    const [wrong] = await db.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM links WHERE url <> '${target}' || substr(slug, 6)`,
    )
    expect(wrong!.count).toBe(0)
  }, 900_000)

  it('runs the next import', async () => {
    const { id } = await importFile(service(), `url\n${target}`)
    expect((await waitForImport(service(), id)).created).toBe(1)
  })
})
