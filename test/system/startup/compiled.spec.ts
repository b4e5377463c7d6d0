/** swc, which `npm start` uses, and tsc, which the Docker image uses, produce the same API. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const tsc = resolve('node_modules/typescript/bin/tsc')

// Next to dist, so that the packages are found.
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(resolve('.dev-tsc-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('generates the committed OpenAPI document with both compilers', async () => {
  await run(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--noCheck', '--outDir', folder])
  for (const build of ['dist', folder])
    await run(process.execPath, [resolve(build, 'main.js'), 'openapi', '--check'])
}, 180_000)
