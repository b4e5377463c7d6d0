/** What ends `listen` before anything is followed: one plain line, not 0, nothing on standard output. */
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { WorkspacesService } from '../../../src/workspaces/workspaces.service.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { answerWith, startFront } from './front.js'
import { runListen, startListening, stop } from './listener.js'

const receiver = 'http://127.0.0.1:9/hook'
let service: Service
beforeAll(async () => (service = await startService()))
afterAll(() => service.stop())

async function refusal(
  args: string[],
  env: Record<string, string> = {},
  { cwd, code = 1 }: { cwd?: string; code?: number } = {},
): Promise<string> {
  const { gone, output, errors } = runListen(args, env, cwd)
  expect({ code: await gone, out: output() }).toEqual({ code, out: '' })
  expect(errors().trim().split('\n')).toHaveLength(1)
  return errors().trim()
}

/** With all that it needs, but for what is given here. */
const refusalOf = (token: string, args: string[] = [], api = `${service.origin}/api`, code = 1) =>
  refusal(['--forward-to', receiver, '--api', api, ...args], { LINK_SERVICE_TOKEN: token }, { code })

describe('words that make no sense', () => {
  it.each([
    [['--token', 'lsk_x', '--forward-to', receiver, '--name', 'x'], /unknown option '--name'/],
    [['--token', 'lsk_x', '--forward-to', receiver, 'more'], /too many arguments/],
    [['--token', 'lsk_x', '--forward-to', receiver, '--events', 'nothing'], /^Unknown events: nothing/],
  ])('%j', async (args, says) => {
    expect(await refusal(args, {}, { code: 2 })).toMatch(says)
  })

  it('are said without reading the settings of a service, which is not there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'link service listen '))
    await writeFile(join(folder, '.env'), 'PORT=nonsense\nDATABASE_URL=nonsense\nLINK_SERVICE_TOKEN=lsk_x\n')
    expect(await refusal([], {}, { cwd: folder, code: 2 })).toMatch(
      /required option '--forward-to <url>' not specified/,
    )
    await rm(folder, { recursive: true })
  })
})

describe('a token', () => {
  it('that is unknown, expired or revoked', async () => {
    expect(await refusalOf('lsk_live_nothing')).toMatch(/^The service rejects the token\./)
    const { id, token } = await service.mint()
    await service.call('DELETE', `/v1/auth/token/${id}`)
    const line = await refusalOf(token)
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
    expect(await refusalOf(token, ['--events', events])).toMatch(`The token lacks ${missing}.`)
  })

  it('needs no scope for what is not followed', async () => {
    const follow = async (scopes: string, events: string) => {
      const { token } = await service.mint(scopes)
      const listener = await startListening(service.origin, token, receiver, '--events', events)
      expect(await stop(listener)).toBe(0)
    }
    await follow('events:read', 'link.created')
    await follow('clicks:read,links:read', 'click')
  })
})

describe('an address', () => {
  it('that is not that of the API', async () => {
    const wrong = /Is --url its URL, such as http:\/\/localhost:3000\/api\?/
    expect(await refusalOf(service.token, [], service.origin)).toMatch(/Is its URL perhaps http:.*\/api\?$/)
    const front = await startFront(service.origin)
    for (const answer of [
      answerWith(404, '<html>'),
      answerWith(200, 'hello'),
      answerWith(301, {}, { location: 'http://127.0.0.1:9/' }),
    ]) {
      front.answer = answer
      expect(await refusalOf(service.token, [], `${front.origin}/api`)).toMatch(wrong)
    }
    await front.stop()
  })

  it('may be written as the service prints it, with the version', async () => {
    const front = await startFront(service.origin)
    const args = ['--forward-to', receiver, '--api', `${front.origin}/api/v1/`, '--json']
    const { child, gone, output } = runListen(args, { LINK_SERVICE_TOKEN: service.token })
    child.stdout.once('data', () => child.kill('SIGTERM'))
    expect(await gone).toBe(0)
    expect(output()).toContain('"kind":"started"')
    await front.stop()
  })
})

describe('a place to go on from', () => {
  it('that is of another workspace', async () => {
    const listener = await startListening(service.origin, service.token, receiver)
    const from = listener.cursor()
    expect(await stop(listener)).toBe(0)
    await service.app.get(WorkspacesService).create('another')
    const { token } = await service.mint(undefined, 'another')
    expect(await refusalOf(token, ['--from', from], undefined, 2)).toMatch(/^--from: /)
  })

  it('that a run has printed which did not follow clicks', async () => {
    const listener = await startListening(service.origin, service.token, receiver, '--events', 'link.created')
    const from = listener.cursor()
    expect(await stop(listener)).toBe(0)
    const line = await refusalOf(service.token, ['--from', from, '--events', 'click'])
    expect(line).toMatch(/did not follow clicks/)
  })
})

it('a service that is not there yet is waited for', async () => {
  const empty = createServer()
  await new Promise<void>((listening) => empty.listen(0, '127.0.0.1', listening))
  const { port } = empty.address() as AddressInfo
  await new Promise((closed) => empty.close(closed))
  const args = ['--forward-to', receiver, '--api', `http://127.0.0.1:${port}/api`]
  const { child, gone, output, errors } = runListen(args, { LINK_SERVICE_TOKEN: service.token })
  child.stderr.once('data', () => child.kill('SIGTERM'))
  expect(await gone).toBe(0)
  expect(errors()).toBe(
    `Waiting for the service at http://127.0.0.1:${port}/api: nothing listens on 127.0.0.1:${port}.\n`,
  )
  expect(output()).toBe('')
})
