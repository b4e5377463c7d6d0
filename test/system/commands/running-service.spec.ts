/** Commands on the machine of a running service, which read its URL from the data folder, and its start in a terminal. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { copyDataFolder } from '../../support/data-folder.js'
import { spawnService, startProcess } from '../../support/process.js'
import { describeWithTerminal, startInTerminal } from '../../support/terminal.js'
import { waitFor } from '../../support/wait-for.js'

let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'link-service-running-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

async function run(args: string[], env: Record<string, string>) {
  const { gone, output, errors } = spawnService(args, env, folder)
  return { code: await gone, out: output(), err: errors() }
}

it('uses the port of the running service without PORT, and ignores the file of a killed one', async () => {
  const dataDir = join(folder, 'data')
  await copyDataFolder(dataDir)
  const service = await startProcess({ DATA_DIR: dataDir })
  const origin = service.origin.replace('127.0.0.1', 'localhost')
  const getDashboardOrigin = async (env: Record<string, string> = {}) =>
    new URL(JSON.parse((await run(['dashboard', '--json'], { DATA_DIR: dataDir, ...env })).out).url).origin
  expect(await getDashboardOrigin()).toBe(origin)
  expect(await getDashboardOrigin({ PUBLIC_URL: 'https://links.example' })).toBe('https://links.example')
  expect(await getDashboardOrigin({ PORT: '1234' })).toBe('http://localhost:1234')
  const withToken = { DATA_DIR: dataDir, LINK_SERVICE_TOKEN: service.firstToken! }
  expect(await run(['links', 'list'], withToken)).toMatchObject({ code: 0, out: 'No results.\n' })
  await run(['links', 'create', 'https://target.example/', '--slug', 'opened'], withToken)
  expect((await run(['open', 'opened'], withToken)).out).toMatch(
    new RegExp(`^${origin}/dashboard/links/lnk_\\w+\n$`),
  )
  // On `localhost`, another program could receive the token.
  expect(JSON.parse(await readFile(join(dataDir, 'service.json'), 'utf8')).apiUrl).toBe(
    `${service.origin}/api`,
  )

  service.kill()
  await service.gone
  expect(await readdir(dataDir)).toContain('service.json')
  expect(await getDashboardOrigin()).toBe('http://localhost:3000')
  const unsent = await run(['links', 'list'], { DATA_DIR: dataDir, LINK_SERVICE_TOKEN: service.firstToken! })
  expect(unsent).toMatchObject({ code: 1, out: '' })
  expect(unsent.err).toMatch(
    /^No service is running with the data folder .*\/data\. Set LINK_SERVICE_URL or use --url /,
  )

  const next = await startProcess({ DATA_DIR: dataDir })
  expect(await getDashboardOrigin()).toBe(next.origin.replace('127.0.0.1', 'localhost'))
  expect(await next.stop()).toBe(0)
  expect(await readdir(dataDir)).not.toContain('service.json')
}, 120_000)

it('names the embedded database if it does not respond', async () => {
  const dataDir = join(folder, 'frozen')
  await copyDataFolder(dataDir)
  const service = await startProcess({ DATA_DIR: dataDir })
  const server = parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'))
  process.kill(server, 'SIGSTOP')
  const list = await run(['token', 'list'], { DATA_DIR: dataDir }).finally(() =>
    process.kill(server, 'SIGCONT'),
  )
  expect(list).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(
      /^The embedded database in .*frozen does not respond: timeout expired\. [^\n]+\n$/,
    ),
  })
  expect(await service.stop()).toBe(0)
}, 120_000)

describeWithTerminal('a first start in a terminal', () => {
  it('logs readable lines, and ends with the token and the URL', async () => {
    const env = { DATA_DIR: join(folder, 'first'), PORT: '0', NO_COLOR: '1' }
    const terminal = startInTerminal([], { env, columns: 200 })
    await waitFor('the sign-in URL', () => /#code=\S+\r\n/.test(terminal.screen()), 60_000)
    expect(terminal.screen()).toMatch(/\d\d:\d\d:\d\d INFO {2}started port=\d+ role="all"\r\n/)
    expect(terminal.screen()).toMatch(/\r\nlsk_live_\S+\r\n[^{]*\r\nhttp:\S+\/dashboard#code=\S+\r\n\s*$/)
    expect(terminal.screen()).not.toContain('{"level"')
    await terminal.type('\u0003', '#code=')
    expect(await terminal.gone).toBe(0)
  }, 120_000)
})

it('logs JSON without a terminal', async () => {
  await copyDataFolder(join(folder, 'json'))
  const service = await startProcess({ DATA_DIR: join(folder, 'json'), LOG_LEVEL: 'info', FORCE_COLOR: '1' })
  await waitFor('the log', () => service.errors().includes('"started"'))
  for (const line of service.errors().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('level')
  expect(await service.stop()).toBe(0)
}, 120_000)
