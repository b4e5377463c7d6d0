/** Formats of the output: tables in a terminal and in a pipe, CSV, IDs only, and repeated output. */
import { once } from 'node:events'

import { decodeId } from '../../../src/platform/database/ids.js'
import { spawnService } from '../../support/process.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { describeWithTerminal, runInTerminal, startInTerminal } from '../../support/terminal.js'
import { waitFor } from '../../support/wait-for.js'

const host = 'https://target-of-a-campaign.example'
const longUrl = `${host}/${'long/path/'.repeat(80)}product?${'x=1&'.repeat(20)}`
const slug = 'a-slug-with-forty-characters-of-a-link-1'

let service: Service
let env: Record<string, string>
let link: { id: string }
beforeAll(async () => {
  service = await startService({
    env: { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' },
  })
  env = { LINK_SERVICE_URL: `${service.origin}/api`, LINK_SERVICE_TOKEN: service.token }
  link = (await service.call('POST', '/v1/links', { body: { url: longUrl, slug, title: 'One, two' } })).body
  await service.call('POST', '/v1/links', { body: { url: `${host}/off`, slug: 'off', enabled: false } })
})
afterAll(() => service.stop())

async function run(...args: string[]) {
  const { gone, output, errors } = spawnService(args, env)
  return { code: await gone, out: output(), err: errors() }
}

it('shortens nothing in a pipe', async () => {
  const { out } = await run('links', 'list')
  expect(out).toContain(longUrl)
  expect(out).not.toContain('…')
  expect(out).not.toContain('\u001b')
})

it('prints only IDs with --quiet', async () => {
  expect(await run('links', 'get', slug, '-q')).toEqual({ code: 0, out: `${link.id}\n`, err: '' })
  expect((await run('links', 'list', '--quiet')).out).toMatch(/^lnk_\w+\nlnk_\w+\n$/)
  expect((await run('links', 'list', '--tag', 'none', '-q')).out).toBe('')
})

it('prints a notice when --quiet hides the secret of a new webhook', async () => {
  const { code, out, err } = await run(
    ...['webhooks', 'create', 'http://127.0.0.1:4000/hook', '--events', 'click', '-q'],
  )
  expect([code, out]).toEqual([0, expect.stringMatching(/^wh_\w+\n$/)])
  expect(err).toMatch(/^The new signing secret was not printed\. .* webhooks rotate wh_\w+\n$/)
})

it('prints CSV and JSON with --format', async () => {
  const { out } = await run('links', 'list', '--format', 'csv')
  const [header, , row] = out.split('\r\n')
  expect(header).toBe('id,slug,status,clicks,human,created,title,url')
  expect(row).toMatch(new RegExp(`^${link.id},${slug},enabled,0,0,20\\d\\d-.*Z,"One, two",https:`))
  expect((await run('links', 'get', slug, '--format', 'csv')).out).toMatch(/^id,slug,.*\r\nlnk_\w+,a-slug/)
  const [json, shortened] = [
    await run('links', 'list', '--format', 'json'),
    await run('links', 'list', '--json'),
  ]
  expect(json.out).toBe(shortened.out)
  expect((await run('stats', '--format', 'csv')).out).toBe((await run('stats', '--csv')).out)
})

it('rejects options that contradict each other', async () => {
  for (const args of [
    ['links', 'list', '--json', '--format', 'csv'],
    ['links', 'list', '--json', '-q'],
    ['links', 'list', '--interval', '1'],
    ['stats', '--csv', '--json'],
  ])
    expect(await run(...args)).toMatchObject({ code: 2, out: '' })
})

it('has color in a pipe with FORCE_COLOR', async () => {
  const { gone, output } = spawnService(['links', 'list'], { ...env, FORCE_COLOR: '1' })
  await gone
  expect(output()).toContain('\u001b[33mdisabled\u001b[0m')
})

it('appends the output with --watch in a pipe, and stops at Ctrl-C', async () => {
  const { child, gone, output, errors } = spawnService(['links', 'list', '-q', '--watch'], env)
  await once(child.stdout, 'data')
  const { id } = (await service.call('POST', '/v1/links', { body: { url: `${host}/new` } })).body
  await waitFor('the new link', () => output().includes(id))
  expect(output().split(link.id).length - 1).toBeGreaterThanOrEqual(2)
  expect(output()).not.toContain('\u001b')
  child.kill('SIGINT')
  expect([await gone, errors()]).toEqual([0, ''])
})

describeWithTerminal('in a terminal', () => {
  const findLinkRow = (screen: string) => screen.split('\r\n').find((line) => line.startsWith('lnk_'))!

  it('fits tables to the width without shortening IDs, slugs, hosts or the end of a path', async () => {
    const wide = findLinkRow(
      (await runInTerminal(['links', 'list', '--q', slug], { env, columns: 160 })).screen,
    )
    // eslint-disable-next-line no-control-regex
    expect(wide.replaceAll(/\u001b\[\d+m/g, '').length).toBeLessThanOrEqual(160)
    expect(wide).toContain(`${link.id}  ${slug}`)
    expect(wide).toMatch(/https:\/\/target-of-a-campaign\.example\/….*path\/product\?…/)
    const { screen } = await runInTerminal(['links', 'list', '--q', slug], { env, columns: 80 })
    expect(findLinkRow(screen)).toBe(`${link.id}  ${slug}  0`)
  })

  it('colors states, unless NO_COLOR is set', async () => {
    const list = ['links', 'list', '--q', 'off']
    expect((await runInTerminal(list, { env, columns: 200 })).screen).toContain('\u001b[33mdisabled\u001b[0m')
    const { screen } = await runInTerminal(list, { env: { ...env, NO_COLOR: '1' }, columns: 200 })
    expect(screen).toContain('disabled')
    expect(screen).not.toContain('\u001b')
  })

  it('shows a webhook as failing, like the dashboard', async () => {
    const body = { url: 'http://127.0.0.1:4000/hook', events: ['click'] }
    const { id } = (await service.call('POST', '/v1/webhooks', { body })).body
    await service.db.query('UPDATE lanes SET failing_since = now() WHERE webhook_id = $1', [
      decodeId('wh', id),
    ])
    expect((await run('webhooks', 'list')).out).toMatch(new RegExp(`^${id}  failing `, 'm'))
    const { screen } = await runInTerminal(['webhooks', 'get', id], { env, columns: 200 })
    expect(screen).toContain('\u001b[31mfailing\u001b[0m')
  })

  it('redraws the output with --watch, and stops at Ctrl-C', async () => {
    const terminal = startInTerminal(['stats', '--last', '7d', '--watch'], { env })
    await waitFor('two drawings', () => terminal.screen().split('\u001b[H\u001b[2J').length > 2)
    expect(terminal.screen()).toMatch(/Every 2 s, updated at \d\d:\d\d:\d\d\. Press Ctrl-C to stop\./)
    await terminal.type('\u0003', 'clicks')
    expect(await terminal.gone).toBe(0)
  })
})
