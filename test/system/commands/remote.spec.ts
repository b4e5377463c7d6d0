/** The commands that call the API, with output for people and for programs. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { spawnService } from '../../support/process.js'
import { startReceiver } from '../../support/receiver.js'
import { startSending } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'

let sending: Sending
let folder: string
beforeAll(async () => {
  sending = await startSending()
  folder = await mkdtemp(join(tmpdir(), 'link service commands '))
})
afterAll(async () => {
  await sending.stop()
  await rm(folder, { recursive: true, force: true })
})

async function run(args: string[], env: Record<string, string> = {}) {
  const { service } = sending
  const { gone, output, errors } = spawnService(
    args,
    { LINK_SERVICE_URL: `${service.origin}/api`, LINK_SERVICE_TOKEN: service.token, ...env },
    folder,
  )
  return { code: await gone, out: output(), err: errors() }
}

async function json(args: string[]): Promise<any> {
  const { code, out, err } = await run([...args, '--json'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out)
}

/** Runs a command that must fail, and returns its error message, which must not contain the token. */
async function runFailing(args: string[], env: Record<string, string> = {}, code = 1): Promise<string> {
  const result = await run(args, env)
  expect(result).toMatchObject({ code, out: '' })
  expect(result.err).not.toContain(sending.service.token)
  return result.err.trim()
}

it('creates, lists, shows, updates and deletes links', async () => {
  const created = await json([
    'links',
    'create',
    'https://target.example/a',
    '--slug',
    'spring',
    '--tags',
    'mail,sale',
  ])
  expect(created).toMatchObject({ slug: 'spring', tags: ['mail', 'sale'], title: null })
  const update = [
    'links',
    'update',
    created.id,
    '--title',
    'A \u001b[2Jtitle',
    '--redirect-status',
    '307',
    '--disable',
  ]
  expect(await runFailing(update, {}, 2)).toContain('--title')
  expect(await json(['links', 'update', created.id, '--title', 'A title', '--disable'])).toMatchObject({
    title: 'A title',
    enabled: false,
    tags: ['mail', 'sale'],
  })
  expect(await json(['links', 'update', created.id, '--title', '', '--enable'])).toMatchObject({
    title: null,
    enabled: true,
  })

  const table = await run(['links', 'list', '--tag', 'mail'])
  expect(table.out.split('\n')[0]).toMatch(/^ID +SLUG +STATUS +CLICKS +HUMAN +CREATED +TITLE +URL$/)
  expect(table.out.split('\n')[1]).toMatch(
    new RegExp(`^${created.id}  spring +enabled +0 .* -  +https://target.example/a$`),
  )
  expect(table.out).not.toContain('\u001b')

  await json(['links', 'create', 'https://target.example/b'])
  expect(await json(['links', 'list', '--limit', '1'])).toMatchObject({ data: [{}], has_more: true })
  expect(await json(['links', 'list', '--limit', 'all'])).toMatchObject({ data: [{}, {}], has_more: false })
  for (const idOrSlug of [created.id, 'spring'])
    expect((await run(['links', 'get', idOrSlug])).out).toMatch(
      /^id +lnk_.*\nstatus +enabled\nslug +spring\n[^]*clicks\.total +0\n/,
    )
  expect((await run(['links', 'delete', created.id])).out).toBe(`Deleted ${created.id}.\n`)
  const api = `${sending.service.origin}/api`
  expect(await runFailing(['links', 'get', created.id])).toBe(
    `No link with this ID was found. The request was sent to ${api}, in the workspace of this token.`,
  )
  expect(await runFailing(['links', 'get', created.id], { LINK_SERVICE_URL: sending.service.origin })).toBe(
    `No route matches this URL. The request was sent to ${sending.service.origin}, in the workspace of this token. Did you mean --url ${sending.service.origin}/api?`,
  )
})

it('sets the filter, the headers and the delivery of a webhook', async () => {
  const headers = join(folder, 'headers')
  await writeFile(headers, 'X-Api-Key: a-key-of-the-gateway\n')
  const { id, ...created } = await json([
    ...['webhooks', 'create', 'https://receiver.example/hooks', '--events', 'click'],
    ...['--tags', 'sale,mail', '--human-only', '--headers-file', headers, '--ordered', '--batch', '100/1m'],
  ])
  expect(created).toMatchObject({
    filter: { tags: ['sale', 'mail'], human_only: true },
    headers: { 'x-api-key': '…' },
    ordered: true,
    batch: { max: 100, within: '60s' },
  })
  const update = ['webhooks', 'update', id]
  expect(await json([...update, '--tags', '', '--no-ordered', '--batch', '20/5s'])).toMatchObject({
    filter: { tags: null, human_only: true },
    ordered: false,
    batch: { max: 20, within: '5s' },
  })
  expect(await runFailing([...update, '--body-format', 'slack'], {}, 2)).toMatch(
    /^--batch: .+ Set batch to null/,
  )
  expect(await json([...update, '--body-format', 'slack', '--no-batch'])).toMatchObject({
    format: 'slack',
    batch: null,
  })
  expect(await runFailing([...update, '--batch', '5s'], {}, 2)).toMatch(/such as 100\/5s/)
  await json(['webhooks', 'delete', id])
})

it('creates, tests, explains, replays, rotates and deletes webhooks', async () => {
  const secretFile = join(folder, 'secret')
  await writeFile(secretFile, 'a secret of my own\n')
  const url = `${sending.receiver.origin}/hook`
  const events = ['--events', 'link.created']
  const hook = await json(['webhooks', 'create', url, ...events, '--secret-file', secretFile])
  expect(hook.secret_hint).toBe('… own')
  expect(await json(['webhooks', 'test', hook.id])).toMatchObject({ delivered: true })
  expect(await json(['webhooks', 'update', hook.id, '--status', 'paused'])).toMatchObject({
    status: 'paused',
  })
  const { id: linkId } = await json(['links', 'create', 'https://target.example/c'])
  const { data } = await json(['webhooks', 'deliveries', hook.id, '--status', 'held'])
  expect(data).toHaveLength(1)
  const [{ id, event_id }] = data
  expect(await json(['webhooks', 'delivery', hook.id, id])).toMatchObject({ id, attempts: [] })
  expect((await run(['webhooks', 'delivery', hook.id, id])).out).not.toMatch(/object Object|last_attempt/)
  const explained = (await run(['explain', event_id, '--webhook', hook.id])).out
  expect(explained).toMatch(/^wh_\w+ {2}.*paused/)
  expect(explained).toMatch(new RegExp(`Run: .+ webhooks update ${hook.id} --status active`))
  expect((await json(['webhooks', 'deliveries', hook.id, '--tried', '--error', 'timeout'])).data).toEqual([])
  expect((await json(['explain', linkId])).data[0]).toMatchObject({ webhook_id: hook.id, reason: 'held' })
  expect(await json(['webhooks', 'replay', hook.id, '--since', '1h'])).toMatchObject({ deliveries: 0 })
  expect((await run(['webhooks', 'replay', hook.id, '--since', '1h'])).out).toMatch(
    /^0 deliveries .*--status all/,
  )
  expect(await json(['webhooks', 'stats', hook.id])).toMatchObject({ held: 1 })
  expect((await run(['webhooks', 'stats', hook.id])).out).toMatch(
    /^held +1\n[^]*latency_ms\.p50 +-\n[^]*\nHOUR +SUCCEEDED +FAILED\n20/m,
  )
  const rotated = await run(['webhooks', 'rotate', hook.id, '--overlap', '1h'])
  expect(rotated.out).toMatch(/^secret +whsec_\S+$/m)
  expect(rotated.out).toContain('shown only once')
  expect((await run(['webhooks', 'list'])).out).toContain(hook.id)
  expect(await json(['webhooks', 'delete', hook.id])).toEqual({ id: hook.id, deleted: true })
})

it('tests a filter, ignores it in a replay, and skips a delivery', async () => {
  const { id } = await json([
    ...['webhooks', 'create', sending.receiver.origin, '--events', 'link.created', '--tags', 'wanted'],
  ])
  await json(['webhooks', 'update', id, '--status', 'paused'])
  const { id: linkId } = await json(['links', 'create', 'https://target.example/filtered'])
  const { event_id } = await json(['explain', linkId])
  expect(await json(['webhooks', 'test-filter', id, event_id])).toMatchObject({
    matches: false,
    condition: 'tags',
  })
  expect((await run(['webhooks', 'test-filter', id, event_id])).out).toContain('excludes the event')

  const replay = ['webhooks', 'replay', id, '--since', '1h', '--from', 'events', '--dry-run']
  expect(await json(replay)).toMatchObject({ deliveries: 0 })
  expect((await json([...replay, '--ignore-filter'])).deliveries).toBeGreaterThan(0)

  await json(['links', 'create', 'https://target.example/wanted', '--tags', 'wanted'])
  const [held] = (await json(['webhooks', 'deliveries', id, '--status', 'held'])).data
  expect((await run(['webhooks', 'skip', id, held.id])).out).toBe(`Skipped ${held.id}.\n`)
  expect(await json(['webhooks', 'delivery', id, held.id])).toMatchObject({ status: 'canceled' })
  await json(['webhooks', 'delete', id])
})

it('creates, lists, updates, tests and deletes notice targets', async () => {
  const urlFile = join(folder, 'slack-url')
  await writeFile(urlFile, `${sending.receiver.origin}/channel/secret\n`)
  const { id, address } = await json(['notices', 'create', 'slack', '--url-file', urlFile])
  expect(address).not.toContain('channel')
  expect(await json(['notices', 'update', id, '--events', 'webhook.disabled'])).toMatchObject({
    events: ['webhook.disabled'],
  })
  expect((await run(['notices', 'list'])).out).toContain(id)
  const tested = await run(['notices', 'test'])
  expect(tested).toMatchObject({ code: 0, out: expect.stringMatching(/^sent +slack /m) })
  expect((await run(['notices', 'delete', id])).out).toBe(`Deleted ${id}.\n`)
  expect((await run(['notices', 'list'])).out).toBe('No results.\n')
  expect(await runFailing(['notices', 'create', 'slack'], {}, 2)).toContain('use --url-file')
  expect(await runFailing(['notices', 'create', 'email', '--to', 'ops@example.com'], {}, 2)).toContain(
    'NOTICES',
  )
})

it('shows where deliveries come from', async () => {
  expect(await json(['webhooks', 'addresses'])).toMatchObject({ addresses: [], source: 'unknown' })
  const { code, out } = await run(['webhooks', 'addresses'])
  expect([code, out]).toEqual([0, expect.stringContaining('Ask the operator to set WEBHOOK_EGRESS_IPS.')])
})

it('exits with 1 and shows the reason when a test delivery fails', async () => {
  const receiver = await startReceiver()
  await receiver.stop()
  const { id } = await json(['webhooks', 'create', receiver.origin, '--events', 'click'])
  const { code, out } = await run(['webhooks', 'test', id])
  expect(code).toBe(1)
  expect(out).toMatch(/\w+.*\n/)
})

describe('the commands', () => {
  it('exit with 2 for unknown commands and invalid options, without sending a request', async () => {
    for (const [args, message] of [
      [['links', 'lst'], "unknown command 'lst' (Did you mean list?)"],
      [['links', 'list', '--tags', 'a'], "unknown option '--tags' (Did you mean --tag?)"],
      [['links', 'list', '--limit', '0'], "'--limit <n>' argument '0' is invalid. Use a number, or all."],
      [['links', 'update', 'lnk_x'], 'Set at least one field to change.'],
      [['webhooks', 'create', 'https://x.example'], "required option '--events <types>'"],
      [['explain', 'wh_x'], 'takes the ID of an event'],
    ] as const)
      expect(await runFailing([...args], {}, 2)).toContain(message)
  })

  it('refuse to run without a token or with a malformed one', async () => {
    expect(await runFailing(['links', 'list'], { LINK_SERVICE_TOKEN: '' }, 2)).toMatch(
      /set LINK_SERVICE_TOKEN .*--token-file/,
    )
    expect(await runFailing(['links', 'list'], { LINK_SERVICE_TOKEN: 'lsk x' }, 2)).toContain(
      'is not a token',
    )
    expect(await runFailing(['links', 'list'], { LINK_SERVICE_TOKEN: 'lsk_live_x' })).toMatch(
      /^The service rejects the token\. This token is unknown\.$/,
    )
    const file = join(folder, 'token')
    await writeFile(file, `${sending.service.token}\n`)
    expect((await run(['links', 'list', '--token-file', file], { LINK_SERVICE_TOKEN: '' })).code).toBe(0)
    expect(await runFailing(['links', 'list', '--token-file', '/nowhere'], {}, 2)).toContain(
      '--token-file could not be read',
    )
  })

  it('reject a URL that is not the API', async () => {
    const message = 'takes a complete URL that starts with http, such as http://localhost:3000/api.'
    expect(await runFailing(['links', 'list', '--url', 'localhost'], {}, 2)).toBe(`--url ${message}`)
    const fromEnvironment = { LINK_SERVICE_URL: 'localhost' }
    expect(await runFailing(['links', 'list'], fromEnvironment, 2)).toBe(`LINK_SERVICE_URL ${message}`)
    const withQuery = `${sending.service.origin}/api?token=x`
    expect(await runFailing(['links', 'list', '--url', withQuery], {}, 2)).toBe(
      '--url takes a URL without a query or fragment.',
    )
    expect(await runFailing(['links', 'list', '--url', `${sending.receiver.origin}/api`])).toMatch(
      /not like the API/,
    )
  })

  it('list every invalid value on its own line', async () => {
    const wrong = await runFailing(['links', 'create', 'ftp://x', '--slug', 'not a slug'], {}, 2)
    expect(wrong.split('\n')).toEqual([
      expect.stringMatching(/^--slug: .+/),
      expect.stringMatching(/^<url>: .+/),
    ])
  })

  it('name the option whose value is taken', async () => {
    await json(['links', 'create', 'https://target.example/', '--slug', 'taken'])
    expect(await runFailing(['links', 'create', 'https://target.example/', '--slug', 'taken'])).toMatch(
      /^--slug: The slug taken belongs to your link /,
    )
  })

  it.each([
    [['links', 'create', 'notaurl'], /^<url>: /],
    [['links', 'update', 'lnk_01kaj3v9z4f8hva3x7m2c5d6ne', '--to', 'notaurl'], /--to: /],
    [['links', 'list', '--external-id', ''], /--external-id: /],
    [['stats', '--last', 'soon'], /--last: /],
    [['stats', '--by', 'weather'], /--by: /],
    [['stats', '--timezone', 'Mars/Base'], /--timezone: /],
    [['webhooks', 'create', 'notaurl', '--events', 'click'], /<url>: /],
    [['webhooks', 'create', 'https://receiver.example/', '--events', 'rain'], /--events: /],
    [['notices', 'create', 'email', '--to', 'ops@example.com'], /^<type>: /],
    [['notices', 'create', 'slack', '--url-file', '/dev/null'], /^--url-file: /],
  ])('name the option or argument with an invalid value: %j', async (args, message) => {
    expect(await runFailing(args, {}, 2)).toMatch(message)
  })
})
