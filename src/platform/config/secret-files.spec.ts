import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  applyStagedSecret,
  isStaged,
  readOrCreateSecret,
  removePreviousSecret,
  stageSecret,
} from './secret-files.js'

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

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'link-service-staged-'))
  await readOrCreateSecret(dataDir, 'pepper', () => 'old')
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

const read = async (name: string) => (await readFile(join(dataDir, 'secrets', name), 'utf8')).trim()

it('keeps the current secret until the staged one is applied', async () => {
  await stageSecret(dataDir, 'pepper')
  const next = await read('pepper-next')
  expect([await read('pepper'), next.length]).toEqual(['old', 43])
  expect((await stat(join(dataDir, 'secrets', 'pepper-next'))).mode & 0o777).toBe(0o600)
  await applyStagedSecret(dataDir, 'pepper')
  expect([await read('pepper'), await read('pepper-previous')]).toEqual([next, 'old'])
  expect(await isStaged(dataDir, 'pepper')).toBe(false)
  await removePreviousSecret(dataDir, 'pepper')
  expect(await readdir(join(dataDir, 'secrets'))).toEqual(['pepper'])
})

it('continues after a crash between its two renames', async () => {
  await stageSecret(dataDir, 'pepper')
  const next = await read('pepper-next')
  await writeFile(join(dataDir, 'secrets', 'pepper-previous'), 'old\n')
  await applyStagedSecret(dataDir, 'pepper')
  expect([await read('pepper'), await read('pepper-previous')]).toEqual([next, 'old'])
})

it('changes nothing without a staged secret', async () => {
  await applyStagedSecret(dataDir, 'pepper')
  expect(await readdir(join(dataDir, 'secrets'))).toEqual(['pepper'])
})
