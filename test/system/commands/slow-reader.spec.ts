/** Output to a slow reader such as `less`, to a closed pipe, and to a full disk. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

import { copyDataFolder } from '../../support/data-folder.js'
import { freePort } from '../../support/free-port.js'
import { builtProgram, spawnService } from '../../support/process.js'
import { itIf } from '../../support/program.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

const links = 3_000

let service: Service
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'link-service-output-'))
  await copyDataFolder(dataDir)
  service = await startService()
  for (let i = 0; i < links; i += 1_000) {
    const page = Array.from({ length: 1_000 }, (_, n) => ({ url: `https://target.example/${i + n}` }))
    expect((await service.call('POST', '/v1/links/bulk', { body: { links: page } })).status).toBe(200)
  }
})
afterAll(async () => {
  await service.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const access = () => ({ LINK_SERVICE_URL: `${service.origin}/api`, LINK_SERVICE_TOKEN: service.token })
const start = (...args: string[]) => spawnService(args, access())

it('writes output that exceeds the pipe buffer completely to a slow reader', async () => {
  const { child, gone, output, errors } = start('links', 'list', '--limit', 'all', '--json')
  child.stdout.pause()
  // A command that does not wait for its reader exits now and loses the remaining output.
  await Promise.race([once(child, 'exit'), setTimeout(5_000)])
  child.stdout.resume()
  expect({ code: await gone, err: errors() }).toEqual({ code: 0, err: '' })
  expect(JSON.parse(output()).data).toHaveLength(links)
})

it('prints no error when the reader closes the pipe early', async () => {
  const { child, gone, errors } = start('links', 'list', '--limit', 'all', '--json')
  await once(child.stdout, 'data')
  child.stdout.destroy()
  await gone
  expect(errors()).toBe('')
})

it('prints no error of a local command when the reader closes the pipe early', async () => {
  const { child, gone, errors } = spawnService(['doctor'], { DATA_DIR: dataDir })
  await once(child.stdout, 'data')
  child.stdout.destroy()
  await gone
  expect(errors()).toBe('')
})

it('keeps the service running when the reader of its output has ended', async () => {
  const port = await freePort()
  const { child, gone, errors } = spawnService([], { DATA_DIR: dataDir, PORT: String(port) })
  child.stdout.destroy()
  // Logged right before the URLs are printed.
  await waitFor('the start', () => errors().includes('"started"'), 60_000)
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
  child.kill('SIGTERM')
  expect({ code: await gone, fatal: /.*"fatal".*/.exec(errors()) }).toEqual({ code: 0, fatal: null })
}, 90_000)

itIf(
  process.platform === 'linux',
  'output to a full disk',
  'Only Linux has /dev/full.',
)('fails with the reason when the output cannot be written', async () => {
  const disk = await open('/dev/full', 'w')
  const child = spawn(process.execPath, [builtProgram, 'links', 'list', '--json'], {
    env: access(),
    stdio: ['ignore', disk.fd, 'pipe'],
  })
  let err = ''
  child.stderr!.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const [code] = await once(child, 'close')
  await disk.close()
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(/^The output cannot be written: ENOSPC: [^\n]+\n$/),
  })
})
