/** Commands that ask for confirmation, and the command that opens a browser. */
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { spawnService } from '../../support/process.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { describeWithTerminal, runInTerminal, startInTerminal } from '../../support/terminal.js'

let service: Service
let env: Record<string, string>
let folder: string
beforeAll(async () => {
  service = await startService()
  env = { LINK_SERVICE_URL: `${service.origin}/api`, LINK_SERVICE_TOKEN: service.token }
  folder = await mkdtemp(join(tmpdir(), 'link-service-prompts-'))
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

async function createLink(slug: string): Promise<string> {
  const body = { url: `https://target.example/${slug}`, slug }
  return (await service.call('POST', '/v1/links', { body })).body.id
}
const getLinkStatus = async (id: string) => (await service.call('GET', `/v1/links/${id}`)).status

async function run(args: string[], more: Record<string, string> = {}) {
  const { gone, output, errors } = spawnService(args, { ...env, ...more })
  return { code: await gone, out: output(), err: errors() }
}

it('deletes without confirmation if there is no terminal', async () => {
  const id = await createLink('no-terminal')
  expect(await run(['links', 'delete', 'no-terminal'])).toEqual({ code: 0, out: `Deleted ${id}.\n`, err: '' })
  expect(await getLinkStatus(id)).toBe(404)
})

describeWithTerminal('in a terminal', () => {
  it.each([
    ['y\r', 0, 404],
    ['n\r', 1, 200],
    ['\r', 1, 200],
    ['\u0003', 1, 200],
  ])('asks before it deletes a link, and the answer %j exits with %i', async (input, code, status) => {
    const slug = `asks-${code}${input.charCodeAt(0)}`
    const id = await createLink(slug)
    const terminal = startInTerminal(['links', 'delete', slug], { env })
    await terminal.type(input, '[y/N]')
    expect(await terminal.gone).toBe(code)
    expect(terminal.screen()).toContain(`Delete the link ${slug} permanently?`)
    expect(await getLinkStatus(id)).toBe(status)
  })

  it('asks before it deletes a webhook', async () => {
    const body = { url: 'https://receiver.example/hook', events: ['click'] }
    const { id } = (await service.call('POST', '/v1/webhooks', { body })).body
    const terminal = startInTerminal(['webhooks', 'delete', id], { env })
    await terminal.type('n\r', '[y/N]')
    expect(await terminal.gone).toBe(1)
    expect((await service.call('GET', `/v1/webhooks/${id}`)).status).toBe(200)
  })

  it('does not ask with --yes', async () => {
    const id = await createLink('with-yes')
    expect((await runInTerminal(['links', 'delete', 'with-yes', '--yes'], { env })).code).toBe(0)
    expect(await getLinkStatus(id)).toBe(404)
  })
})

describe('open', () => {
  let id: string
  beforeAll(async () => (id = await createLink('opened')))

  it('prints the URL of the page if there is no browser', async () => {
    const page = `${service.origin}/dashboard/links/${id}`
    for (const idOrSlug of [id, 'opened'])
      expect(await run(['open', idOrSlug])).toEqual({ code: 0, out: `${page}\n`, err: '' })
    expect((await run(['open', 'opened'], { BROWSER: '/nonexistent' })).out).toBe(`${page}\n`)
  })

  it('passes the URL to the browser', async () => {
    const [browser, opened] = [join(folder, 'browser'), join(folder, 'opened')]
    await writeFile(browser, `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`)
    await chmod(browser, 0o755)
    const { out } = await run(['open', 'opened', '--destination'], { BROWSER: browser })
    expect(out).toBe('Opened https://target.example/opened\n')
    expect(await readFile(opened, 'utf8')).toBe('https://target.example/opened')
  })

  it('reports an unknown link', async () => {
    expect(await run(['open', 'unknown-link'])).toMatchObject({ code: 1, out: '' })
  })
})
