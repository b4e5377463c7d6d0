/** `login` and `logout`, and the profiles that they save and remove. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { spawnService } from '../../support/process.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { describeWithTerminal, startInTerminal } from '../../support/terminal.js'

let service: Service
let api: string
let folder: string
beforeAll(async () => {
  service = await startService()
  api = `${service.origin}/api`
})
afterAll(() => service.stop())
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'link service profiles '))))
afterEach(() => rm(folder, { recursive: true, force: true }))

async function run(
  args: string[],
  { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
) {
  const { gone, output, errors } = spawnService(args, { XDG_CONFIG_HOME: folder, ...env }, folder, input)
  const result = { code: await gone, out: output(), err: errors() }
  expect(result.out + result.err).not.toContain(service.token)
  return result
}
const signIn = (...more: string[]) => run(['login', '--url', api, ...more], { input: `${service.token}\n` })
const getProfileFile = (name: string) => join(folder, 'link-service', `${name}.json`)

it('saves the token of standard input in a file that only this user can read', async () => {
  const { code, out } = await signIn()
  expect(code).toBe(0)
  expect(out).toMatch(
    new RegExp(
      `^Signed in to ${api} with the token ".*" \\(tok_\\w+\\)\\.\\nSaved in ${getProfileFile('default')}\\n$`,
    ),
  )
  expect((await stat(getProfileFile('default'))).mode & 0o777).toBe(0o600)
  expect((await stat(join(folder, 'link-service'))).mode & 0o777).toBe(0o700)
  expect(JSON.parse(await readFile(getProfileFile('default'), 'utf8'))).toEqual({
    url: api,
    token: service.token,
  })
  expect(await readdir(join(folder, 'link-service'))).toEqual(['default.json'])
  expect(await run(['links', 'list'])).toMatchObject({ code: 0, err: '' })
})

it('saves nothing if the service rejects the token', async () => {
  for (const input of ['lsk_live_unknown', '', 'two words'])
    expect((await run(['login', '--url', api], { input })).code).not.toBe(0)
  expect(await readdir(folder)).toEqual([])
})

it('says how to enter a token if standard input is empty', async () => {
  expect(await run(['login', '--url', api], { input: '' })).toEqual({
    code: 2,
    out: '',
    err: 'No token was entered. Paste a token, or pass one on standard input.\n',
  })
})

it('says in one line why the profile cannot be saved', async () => {
  await writeFile(join(folder, 'file'), '')
  const env = { XDG_CONFIG_HOME: join(folder, 'file', 'config') }
  expect(await run(['login', '--url', api], { input: service.token, env })).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/^The profile could not be saved: ENOTDIR[^\n]+\n$/),
  })
})

it('removes the profile with logout', async () => {
  await signIn()
  expect(await run(['logout'])).toMatchObject({ code: 0, err: '' })
  expect(await readdir(join(folder, 'link-service'))).toEqual([])
  expect(await run(['logout'])).toMatchObject({ code: 1, err: 'There is no profile "default".\n' })
  expect(await run(['links', 'list', '--url', api])).toMatchObject({ code: 2 })
})

it('finds no profile to remove if the path of XDG_CONFIG_HOME contains a file', async () => {
  await writeFile(join(folder, 'file'), '')
  const env = { XDG_CONFIG_HOME: join(folder, 'file', 'config') }
  expect(await run(['logout'], { env })).toEqual({
    code: 1,
    out: '',
    err: 'There is no profile "default".\n',
  })
})

it('prefers the environment and options to the default profile', async () => {
  await signIn()
  const rejected = { LINK_SERVICE_URL: api, LINK_SERVICE_TOKEN: 'lsk_live_unknown' }
  expect((await run(['links', 'list'], { env: rejected })).err).toContain('rejects the token')
  const elsewhere = { LINK_SERVICE_URL: 'http://127.0.0.1:1/api', LINK_SERVICE_TOKEN: 'lsk_x' }
  expect((await run(['links', 'list'], { env: elsewhere })).err).toContain(
    '127.0.0.1:1/api cannot be reached',
  )
})

it('never sends another token to the host of the default profile', async () => {
  await signIn()
  const env = { LINK_SERVICE_TOKEN: 'lsk_live_unknown', PORT: '1' }
  // On `localhost`, another program could receive the token.
  expect((await run(['links', 'list'], { env })).err).toContain('http://127.0.0.1:1/api cannot be reached')
  expect((await run(['links', 'list'], { env: { ...env, HOST: '::1' } })).err).toContain('http://[::1]:1/api')
})

it('never sends the saved token to another host', async () => {
  await signIn()
  const message = `The saved profile is for ${service.origin}, not for http://127.0.0.1:1.`
  expect(await run(['links', 'list', '--url', 'http://127.0.0.1:1/api'])).toMatchObject({
    code: 2,
    err: expect.stringContaining(message),
  })
  const env = { LINK_SERVICE_URL: 'http://127.0.0.1:1/api' }
  expect((await run(['links', 'list'], { env })).err).toContain(message)
})

it('keeps several profiles, and a named one takes precedence over the environment', async () => {
  await signIn('--profile', 'production')
  expect(await run(['links', 'list', '--url', api])).toMatchObject({ code: 2 })
  const env = { LINK_SERVICE_TOKEN: 'lsk_live_unknown', LINK_SERVICE_URL: 'http://127.0.0.1:1/api' }
  expect(await run(['links', 'list', '--profile', 'production'], { env })).toMatchObject({ code: 0, err: '' })
  const unknown = await run(['links', 'list', '--profile', 'staging'])
  expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('login --profile staging') })
  expect(await run(['logout', '--profile', '../x'])).toMatchObject({ code: 2 })
})

it('reports a damaged profile without printing it', async () => {
  await signIn()
  await writeFile(getProfileFile('default'), `{"token":"${service.token}"`)
  expect(await run(['links', 'list'])).toMatchObject({ code: 2, err: expect.stringContaining('is damaged') })
  const env = { LINK_SERVICE_TOKEN: service.token }
  expect((await run(['links', 'list'], { env })).err).toMatch(/^No service is running with the data folder /)
})

describeWithTerminal('in a terminal', () => {
  it('reads the token without showing it', async () => {
    const terminal = startInTerminal(['login', '--url', api], {
      env: { XDG_CONFIG_HOME: folder },
      cwd: process.cwd(),
    })
    await terminal.type(`${service.token}\r`, '(input is hidden): ')
    expect(await terminal.gone).toBe(0)
    expect(terminal.screen()).toContain('Signed in to')
    expect(terminal.screen()).not.toContain(service.token)
    expect(JSON.parse(await readFile(getProfileFile('default'), 'utf8'))).toEqual({
      url: api,
      token: service.token,
    })
  })

  it('saves nothing after Ctrl-C', async () => {
    const terminal = startInTerminal(['login', '--url', api], { env: { XDG_CONFIG_HOME: folder } })
    await terminal.type('\u0003', '(input is hidden): ')
    expect(await terminal.gone).toBe(1)
    expect(await readdir(folder)).toEqual([])
  })
})
