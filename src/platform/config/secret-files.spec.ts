import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readOrCreateSecret } from './secret-files.js'

describe('a secret made by the service', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'secrets-'))
  })
  afterEach(() => rm(dataDir, { recursive: true }))

  it('is the same for all who ask for it first', async () => {
    let made = 0
    const ask = () => readOrCreateSecret(dataDir, 'pepper', () => `secret ${++made}`)
    const answers = await Promise.all(Array.from({ length: 20 }, ask))
    expect(new Set(answers).size).toBe(1)
    expect(await ask()).toBe(answers[0])
    expect(await readdir(join(dataDir, 'secrets'))).toEqual(['pepper'])
  })

  it('is for its user alone', async () => {
    await readOrCreateSecret(dataDir, 'pepper', () => 'secret')
    const mode = async (path: string) => ((await stat(join(dataDir, path))).mode & 0o777).toString(8)
    expect([await mode('secrets'), await mode('secrets/pepper')]).toEqual(['700', '600'])
  })
})
