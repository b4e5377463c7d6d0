/** The embedded PostgreSQL of the service is stopped from outside. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { copyDataFolder } from '../../support/data-folder.js'
import { startProcess } from '../../support/process.js'
import { call } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'link service lost '))
  await copyDataFolder(dataDir)
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

const pidFile = () => join(dataDir, 'postgres/postmaster.pid')

/** SIGTERM waits for the open sessions and refuses new ones. SIGINT terminates them. */
it.each(['SIGTERM', 'SIGINT'] as const)(
  'exits with one fatal message and without losing data after %s to the database',
  async (signal) => {
    const running = await startProcess({ DATA_DIR: dataDir })
    const token = running.firstToken
    const created: string[] = []
    const create = async (): Promise<number> => {
      const body = { url: 'https://target.example/' }
      const response = await call(running.origin, 'POST', '/v1/links', { token, body }).catch(() => null)
      if (response?.status === 201) created.push(response.body.slug)
      return response?.status ?? 0
    }
    expect(await create()).toBe(201)
    let clicks = 0
    const visit = async () => {
      const options = { redirect: 'manual' } as const
      const response = await fetch(`${running.origin}/${created[0]}`, options).catch(() => null)
      if (response?.status === 302) clicks += 1
    }
    await visit()
    process.kill(parseInt(await readFile(pidFile(), 'utf8')), signal)
    const load = new AbortController()
    const caller = (async () => {
      while (!load.signal.aborted) await Promise.all([create(), visit()])
    })()
    const code = await Promise.race([
      running.gone,
      new Promise<'still running'>((resolve) => {
        setTimeout(resolve, 20_000, 'still running').unref()
      }),
    ])
    load.abort()
    await caller
    if (code === 'still running') running.kill()
    expect(code).toBe(1)

    const fatal = running
      .errors()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { level: string; msg: string })
      .filter(({ level }) => level === 'fatal')
    expect(fatal).toEqual([
      expect.objectContaining({
        msg: expect.stringMatching(/told the embedded database to stop|embedded database has stopped/),
      }),
    ])
    await expect(readFile(pidFile())).rejects.toThrow('ENOENT')

    const restarted = await startProcess({ DATA_DIR: dataDir })
    for (const slug of created) {
      const { status } = await fetch(`${restarted.origin}/${slug}`, { method: 'HEAD', redirect: 'manual' })
      expect(status).toBe(302)
    }
    await waitFor('the clicks', async () => {
      const { body } = await call(restarted.origin, 'GET', `/v1/links/by-slug/${created[0]}`, { token })
      return body.clicks.total >= clicks
    })
    expect(await restarted.stop()).toBe(0)
  },
)
