/** Errors that stop `listen` at its start, with one line on standard error. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { WorkspacesService } from '../../../src/workspaces/workspaces.service.js'
import { freePort } from '../../support/free-port.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { respondWith, startApiProxy } from './api-proxy.js'
import { runListen, startListening, stop } from './listener.js'

const receiver = 'http://127.0.0.1:9/hook'
let service: Service
beforeAll(async () => (service = await startService()))
afterAll(() => service.stop())

/** Runs `listen`, which must fail with one line on standard error, and returns the line. */
async function runFailing(
  args: string[],
  env: Record<string, string> = {},
  { cwd, code = 1 }: { cwd?: string; code?: number } = {},
): Promise<string> {
  const { gone, output, errors } = runListen(args, env, cwd)
  expect({ code: await gone, out: output() }).toEqual({ code, out: '' })
  expect(errors().trim().split('\n')).toHaveLength(1)
  return errors().trim()
}

/** Runs `listen` with valid options except for the given ones, and returns its error. */
const errorWith = (token: string, args: string[] = [], api = `${service.origin}/api`, code = 1) =>
  runFailing(['--forward-to', receiver, '--api', api, ...args], { LINK_SERVICE_TOKEN: token }, { code })

describe('invalid options', () => {
  it.each([
    [['--token', 'lsk_x', '--forward-to', receiver, '--name', 'x'], /unknown option '--name'/],
    [['--token', 'lsk_x', '--forward-to', receiver, 'more'], /too many arguments/],
    [['--token', 'lsk_x', '--forward-to', receiver, '--events', 'nothing'], /^Unknown events: nothing/],
  ])('are rejected: %j', async (args, message) => {
    expect(await runFailing(args, {}, { code: 2 })).toMatch(message)
  })

  it('are reported without reading the settings of the service', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'link service listen '))
    await writeFile(join(folder, '.env'), 'PORT=nonsense\nDATABASE_URL=nonsense\nLINK_SERVICE_TOKEN=lsk_x\n')
    expect(await runFailing([], {}, { cwd: folder, code: 2 })).toMatch(
      /required option '--forward-to <url>' not specified/,
    )
    await rm(folder, { recursive: true })
  })
})

describe('a token', () => {
  it('that is unknown or revoked is rejected', async () => {
    expect(await errorWith('lsk_live_nothing')).toMatch(/^The service rejects the token\./)
    const { id, token } = await service.mint()
    await service.call('DELETE', `/v1/auth/token/${id}`)
    const line = await errorWith(token)
    expect(line).toMatch(/^The service rejects the token\. .*revoked/)
    expect(line).not.toContain(token)
  })

  it.each([
    ['links:read', '*', 'events:read and clicks:read'],
    ['events:read', 'link.created,click', 'clicks:read and links:read'],
    ['clicks:read', 'click', 'links:read'],
    ['clicks:read,links:read', 'link.created', 'events:read'],
  ])('with %s cannot follow %s: it lacks %s', async (scopes, events, missing) => {
    const { token } = await service.mint(scopes)
    expect(await errorWith(token, ['--events', events])).toMatch(`The token lacks ${missing}.`)
  })

  it('needs only the scopes for the followed events', async () => {
    const follow = async (scopes: string, events: string) => {
      const { token } = await service.mint(scopes)
      const listener = await startListening(service.origin, token, receiver, '--events', events)
      expect(await stop(listener)).toBe(0)
    }
    await follow('events:read', 'link.created')
    await follow('clicks:read,links:read', 'click')
  })
})

describe('the API URL', () => {
  it('is rejected when it is not the API', async () => {
    const wrong = /Set --url to the URL of the API, such as http:\/\/localhost:3000\/api\./
    expect(await errorWith(service.token, [], service.origin)).toMatch(/Did you mean --url http:.*\/api\?$/)
    const proxy = await startApiProxy(service.origin)
    for (const respond of [
      respondWith(404, '<html>'),
      respondWith(200, 'hello'),
      respondWith(301, {}, { location: 'http://127.0.0.1:9/' }),
    ]) {
      proxy.respond = respond
      expect(await errorWith(service.token, [], `${proxy.origin}/api`)).toMatch(wrong)
    }
    await proxy.stop()
  })

  it('may end with the version, as the service prints it', async () => {
    const proxy = await startApiProxy(service.origin)
    const args = ['--forward-to', receiver, '--api', `${proxy.origin}/api/v1/`, '--json']
    const { child, gone, output } = runListen(args, { LINK_SERVICE_TOKEN: service.token })
    child.stdout.once('data', () => child.kill('SIGTERM'))
    expect(await gone).toBe(0)
    expect(output()).toContain('"kind":"started"')
    await proxy.stop()
  })
})

describe('the cursor', () => {
  it('of another workspace is rejected', async () => {
    const listener = await startListening(service.origin, service.token, receiver)
    const from = listener.cursor()
    expect(await stop(listener)).toBe(0)
    await service.app.get(WorkspacesService).create('another')
    const { token } = await service.mint(undefined, 'another')
    expect(await errorWith(token, ['--from', from], undefined, 2)).toMatch(/^--from: /)
  })

  it('of a run without clicks is rejected for clicks', async () => {
    const listener = await startListening(service.origin, service.token, receiver, '--events', 'link.created')
    const from = listener.cursor()
    expect(await stop(listener)).toBe(0)
    const line = await errorWith(service.token, ['--from', from, '--events', 'click'])
    expect(line).toMatch(/did not follow clicks/)
  })
})

it('waits for a service that has not started', async () => {
  const port = await freePort()
  const args = ['--forward-to', receiver, '--api', `http://127.0.0.1:${port}/api`]
  const { child, gone, output, errors } = runListen(args, { LINK_SERVICE_TOKEN: service.token })
  child.stderr.once('data', () => child.kill('SIGTERM'))
  expect(await gone).toBe(0)
  expect(errors()).toBe(
    `Waiting for the service at http://127.0.0.1:${port}/api: nothing listens on 127.0.0.1:${port}.\n`,
  )
  expect(output()).toBe('')
})
