import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readOrCreateSecret } from './secret-files.js'

describe('a generated secret', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'secrets-'))
  })
  afterEach(() => rm(dataDir, { recursive: true }))

  it('is the same for concurrent first readers', async () => {
    let generated = 0
    const read = () => readOrCreateSecret(dataDir, 'pepper', () => `secret ${++generated}`)
    const secrets = await Promise.all(Array.from({ length: 20 }, read))
    expect(new Set(secrets).size).toBe(1)
    expect(await read()).toBe(secrets[0])
    expect(await readdir(join(dataDir, 'secrets'))).toEqual(['pepper'])
  })

  it('is accessible only to its user', async () => {
    await readOrCreateSecret(dataDir, 'pepper', () => 'secret')
    const mode = async (path: string) => ((await stat(join(dataDir, path))).mode & 0o777).toString(8)
    expect([await mode('secrets'), await mode('secrets/pepper')]).toEqual(['700', '600'])
  })
})
