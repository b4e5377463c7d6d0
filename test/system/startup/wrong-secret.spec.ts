/** The secrets in the settings differ from those that the database was used with. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { spawnService, startProcess } from '../../support/process.js'
import { encryptionKey, pepper } from '../../support/service.js'

let folder: string
let db: TestDatabase
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link-service-secrets-'))
  db = await createDatabase()
})
afterAll(async () => {
  await db.drop()
  await rm(folder, { recursive: true, force: true })
})

const other = 'another secret that is long enough for a setting'
const environment = (secrets: object = {}) => ({
  DATABASE_URL: db.url,
  DATA_DIR: folder,
  TOKEN_PEPPER: pepper,
  ENCRYPTION_KEY: encryptionKey,
  PORT: '0',
  ...secrets,
})

async function run(args: string[], secrets: object) {
  const { gone, output, errors } = spawnService(args, environment(secrets))
  return { code: await gone, output: output(), errors: errors() }
}

it('refuses to start with a one-line error that names the setting, until the new secret is accepted', async () => {
  const first = await startProcess(environment())
  await first.stop()

  for (const name of ['TOKEN_PEPPER', 'ENCRYPTION_KEY']) {
    const refused = await run([], { [name]: other })
    expect(refused).toMatchObject({ code: 1, output: '' })
    expect(refused.errors).toMatch(
      new RegExp(`^${name} does not match the fingerprint [^\n]+accept-secrets[^\n]+\n$`),
    )
    const doctor = JSON.parse((await run(['doctor', '--json'], { [name]: other })).output)
    expect(doctor.checks).toContainEqual({
      name: 'secrets',
      status: 'fail',
      message: expect.stringContaining(name),
    })
  }
  const stored = JSON.stringify(await db.query('SELECT * FROM secret_fingerprints'))
  for (const secret of [pepper, encryptionKey, other]) expect(stored).not.toContain(secret)

  const accepted = await run(['accept-secrets'], { TOKEN_PEPPER: other })
  expect(accepted).toMatchObject({ code: 0, errors: '' })
  const restarted = await startProcess(environment({ TOKEN_PEPPER: other }))
  expect(await restarted.stop()).toBe(0)
  expect((await run([], {})).code).toBe(1)
}, 120_000)
