/** The packed client in a project of its own. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { ClientProject } from '../../support/client-project.js'
import { createDatabase } from '../../support/database.js'
import { visit } from '../../support/factories/links.js'
import { startRelay } from '../../support/relay.js'
import { startSending } from '../../support/sending.js'
import { startService } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

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

it('needs fewer than 40 lines for a token, a verified delivery and clicks across a restart', async () => {
  const program = await readFile('test/system/client/program.ts', 'utf8')
  expect(program.trimEnd().split('\n').length).toBeLessThan(40)
  const db = await createDatabase()
  const env = { ROLE: 'all', WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' }
  let service = await startService({ db, env })
  const relay = await startRelay(() => service.origin)
  const running = await project.startTyped(program, { origin: relay.origin, token: service.token })
  const printed = (lines: string) => waitFor(lines, () => running.output().includes(lines))

  await printed('verified typescript\n')
  await printed('listed typescript\n')
  await visit(service, 'typescript')
  await printed('click 1 typescript\n')
  await service.stop()
  // The program keeps polling while the service is down.
  await waitFor('a failed poll', () => relay.requests.at(-1)?.path.includes('/v1/clicks?'))
  service = await startService({ db, env })
  for (let i = 0; i < 2; i++) await visit(service, 'typescript')
  const numbers = (await running.ended).match(/^click \d/gm)
  expect(numbers).toEqual(['click 1', 'click 2', 'click 3'])

  await relay.stop()
  await service.stop()
  await db.drop()
}, 300_000)

it('contains no sources, tests or dependencies', async () => {
  const { dependencies, peerDependencies } = JSON.parse(await project.read('package.json'))
  expect({ dependencies, peerDependencies }).toEqual({})
  await expect(project.read('src/index.ts')).rejects.toThrow('ENOENT')
  await expect(project.read('README.md')).resolves.toContain('# @link-service/client')
})
