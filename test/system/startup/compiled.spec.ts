/** What `npm start` compiles with swc runs as a program, and has the API of the Docker image, which tsc compiles. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
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

// npm makes it executable only when it links the package, which may be before a build.
it('makes the command executable', async () => {
  expect((await stat('dist/main.js')).mode & 0o111).toBe(0o111)
})

it('generates the committed OpenAPI document with both compilers', async () => {
  await run(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--noCheck', '--outDir', folder])
  for (const build of ['dist', folder])
    await run(process.execPath, [resolve(build, 'main.js'), 'openapi', '--check'])
}, 180_000)
