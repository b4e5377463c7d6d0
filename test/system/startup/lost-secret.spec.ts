/** A generated secret of the embedded database is missing. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { copyDataFolder } from '../../support/data-folder.js'
import { spawnService, startProcess } from '../../support/process.js'
import { call } from '../../support/service.js'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'link service secrets '))
  await copyDataFolder(dataDir)
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

it('refuses to start without creating a new secret, and starts once the old one is restored', async () => {
  const first = await startProcess({ DATA_DIR: dataDir })
  await first.stop()
  for (const name of ['token-pepper', 'encryption-key']) {
    const file = join(dataDir, 'secrets', name)
    const secret = await readFile(file)
    await rm(file)
    const { gone, errors, output } = spawnService([], { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' })
    expect(await gone).toBe(1)
    expect([output(), errors()]).toEqual([
      '',
      expect.stringContaining(`${name} is missing, and the database needs it.`),
    ])
    await expect(readFile(file)).rejects.toThrow('ENOENT')
    await writeFile(file, secret)
  }
  const restarted = await startProcess({ DATA_DIR: dataDir })
  const response = await call(restarted.origin, 'GET', '/v1/auth/token/self', { token: first.firstToken })
  expect(response.status).toBe(200)
  await restarted.stop()
}, 120_000)
