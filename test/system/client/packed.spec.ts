/** The packed client in a project of its own. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { ClientProject } from '../../support/client-project.js'
import { startSending } from '../../support/sending.js'

let folder: string
let project: ClientProject
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link-service-packed-'))
  await promisify(execFile)('npm', ['pack', '--pack-destination', folder], { cwd: 'clients/typescript' })
  const [tarball] = await readdir(folder)
  project = await ClientProject.install(join(folder, tarball!))
}, 300_000)
afterAll(async () => {
  await project.remove()
  await rm(folder, { recursive: true, force: true })
})

it('needs fewer than 40 lines from a token to a verified delivery', async () => {
  const [program] = await project.snippets('ts')
  expect(program!.trimEnd().split('\n').length).toBeLessThan(40)
  const sending = await startSending()
  expect(await project.runTyped(program!, sending.service)).toBe('verified https://example.com/first\n')
  await sending.stop()
}, 300_000)

it('contains no sources, tests or dependencies', async () => {
  const { dependencies, peerDependencies } = JSON.parse(await project.read('package.json'))
  expect({ dependencies, peerDependencies }).toEqual({})
  await expect(project.read('src/index.ts')).rejects.toThrow('ENOENT')
  await expect(project.read('README.md')).resolves.toContain('# @link-service/client')
})
