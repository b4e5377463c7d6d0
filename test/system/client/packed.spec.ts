/** Installs the packed client into a strict TypeScript project, without a registry. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { startSending } from '../../support/sending.js'

const run = promisify(execFile)
const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  target: 'es2022',
  module: 'nodenext',
  types: ['node'],
  skipLibCheck: false,
}

let project: string
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'link-service-packed-'))
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', project], {
    cwd: 'clients/typescript',
  })
  const packed = JSON.parse(stdout)
  const { filename } = (Array.isArray(packed) ? packed : Object.values(packed))[0] as { filename: string }
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }))
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${filename}`], { cwd: project })
  // The types of Node.js come from this checkout.
  await mkdir(join(project, 'node_modules/@types'), { recursive: true })
  for (const name of ['@types/node', 'undici-types'])
    await symlink(resolve('node_modules', name), join(project, 'node_modules', name))
}, 300_000)
afterAll(() => rm(project, { recursive: true, force: true }))

it('needs fewer than 40 lines from a token to a verified delivery', async () => {
  const readme = await readFile(join(project, 'node_modules/@link-service/client/README.md'), 'utf8')
  const program = /^```ts\n([\s\S]*?)^```$/m.exec(readme)![1]!
  expect(program.trimEnd().split('\n').length).toBeLessThan(40)
  await writeFile(join(project, 'main.ts'), program)
  await run(process.execPath, [resolve('node_modules/typescript/bin/tsc')], { cwd: project })
  const sending = await startSending()
  const { stdout } = await run(process.execPath, ['main.js'], {
    cwd: project,
    env: {
      ...process.env,
      LINK_SERVICE_URL: `${sending.service.origin}/api`,
      LINK_SERVICE_TOKEN: sending.service.token,
    },
  })
  expect(stdout).toBe('verified first\n')
  await sending.stop()
}, 300_000)

it('contains no sources, tests or dependencies', async () => {
  const folder = join(project, 'node_modules/@link-service/client')
  const { dependencies, peerDependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  expect({ dependencies, peerDependencies }).toEqual({})
  await expect(readFile(join(folder, 'src/index.ts'))).rejects.toThrow('ENOENT')
  await expect(readFile(join(folder, 'README.md'), 'utf8')).resolves.toContain('# @link-service/client')
})
