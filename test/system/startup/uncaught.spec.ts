/** Uncaught errors in the built service, thrown by a preloaded module. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { copyDataFolder } from '../../support/data-folder.js'
import { spawnService, startProcess } from '../../support/process.js'
import { call } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

/** A slow machine can cause warnings. */
const withoutWarnings = 'error'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link service uncaught '))
  await copyDataFolder(join(folder, 'data'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Returns a Node.js option that preloads a module, which fails as soon as the file exists. */
function preload(file: string, failure: string): string {
  const program = `
    import { existsSync } from 'node:fs'
    import { isMainThread } from 'node:worker_threads'
    // The ingest thread loads this module, too. Its failures have their own test.
    const timer = isMainThread && setInterval(() => {
      if (!existsSync(${JSON.stringify(file)})) return
      clearInterval(timer)
      ${failure}
    }, 5)
    if (timer) timer.unref()`
  return `--import=data:text/javascript,${encodeURIComponent(program)}`
}

it.each([
  ['a thrown Error', `throw new Error('something odd')`, 'something odd'],
  ['a thrown string', `throw 'only words'`, 'only words'],
  ['a thrown null', `throw null`, 'null'],
  ['a rejected promise', `Promise.reject(new Error('something late'))`, 'something late'],
])(
  'logs one fatal message, loses no clicks and exits with code 1 after %s',
  async (_name, failure, message) => {
    const trigger = join(folder, 'fail')
    const dataDir = join(folder, 'data')
    const running = await startProcess({
      DATA_DIR: dataDir,
      LOG_LEVEL: withoutWarnings,
      NODE_OPTIONS: preload(trigger, failure),
    })
    const token = running.firstToken
    const link = await call(running.origin, 'POST', '/v1/links', {
      token,
      body: { url: 'https://target.example/' },
    })
    const statuses: number[] = []
    const load = new AbortController()
    const visitor = (async () => {
      while (!load.signal.aborted) {
        const response = await fetch(`${running.origin}/${link.body.slug}`, { redirect: 'manual' }).catch(
          () => null,
        )
        if (response) statuses.push(response.status)
        else await new Promise((resolve) => setTimeout(resolve, 10))
        if (statuses.length === 50) await writeFile(trigger, '')
      }
    })()
    expect(await running.gone).toBe(1)
    load.abort()
    await visitor

    const lines = running.errors().trim().split('\n')
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0]!)).toMatchObject({ level: 'fatal', msg: expect.stringContaining(message) })
    await expect(readFile(join(dataDir, 'postgres/postmaster.pid'))).rejects.toThrow('ENOENT')

    const restarted = await startProcess({ DATA_DIR: dataDir })
    const clicks = await waitFor('the clicks', async () => {
      const { body } = await call(restarted.origin, 'GET', `/v1/links/${link.body.id}`, { token })
      return body.clicks.total >= statuses.length && body.clicks.total
    })
    expect(new Set(statuses)).toEqual(new Set([302]))
    // The last click may be counted even if its response did not arrive.
    expect(clicks - statuses.length).toBeLessThanOrEqual(1)
    expect(await restarted.stop()).toBe(0)
  },
  120_000,
)

it('stops the embedded database after an uncaught error at startup', async () => {
  const dataDir = join(folder, 'data')
  const pidFile = join(dataDir, 'postgres/postmaster.pid')
  const { gone, errors } = spawnService([], {
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: withoutWarnings,
    NODE_OPTIONS: preload(pidFile, `throw new Error('too early')`),
  })
  expect(await gone).toBe(1)
  expect(errors().trim().split('\n')).toEqual([expect.stringContaining('too early')])
  await expect(readFile(pidFile)).rejects.toThrow('ENOENT')
})
