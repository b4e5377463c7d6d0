/** The commands that call the API, as a person and as a program run them. */
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

/** One plain line, not 0, nothing on standard output, no secret. */
async function refusal(args: string[], env: Record<string, string> = {}, code = 1): Promise<string> {
  const result = await run(args, env)
  expect(result).toMatchObject({ code, out: '' })
  expect(result.err).not.toContain(sending.service.token)
  return result.err.trim()
}

it('links: made, listed, shown, changed and deleted', async () => {
  const made = await json([
    'links',
    'create',
    'https://target.example/a',
    '--slug',
    'spring',
    '--tags',
    'mail,sale',
  ])
  expect(made).toMatchObject({ slug: 'spring', tags: ['mail', 'sale'], title: null })
  const update = [
    'links',
    'update',
    made.id,
    '--title',
    'A \u001b[2Jtitle',
    '--redirect-status',
    '307',
    '--disable',
  ]
  expect(await refusal(update, {}, 2)).toContain('--title')
  expect(await json(['links', 'update', made.id, '--title', 'A title', '--disable'])).toMatchObject({
    title: 'A title',
    enabled: false,
    tags: ['mail', 'sale'],
  })
  expect(await json(['links', 'update', made.id, '--title', '', '--enable'])).toMatchObject({
    title: null,
    enabled: true,
  })

  const table = await run(['links', 'list', '--tag', 'mail'])
  expect(table.out.split('\n')[0]).toMatch(/^ID +SLUG +CLICKS +HUMAN +CREATED +TITLE +URL$/)
  expect(table.out.split('\n')[1]).toMatch(
    new RegExp(`^${made.id}  spring +0 .* -  +https://target.example/a$`),
  )
  expect(table.out).not.toContain('\u001b')

  await json(['links', 'create', 'https://target.example/b'])
  expect(await json(['links', 'list', '--limit', '1'])).toMatchObject({ data: [{}], has_more: true })
  expect(await json(['links', 'list', '--limit', 'all'])).toMatchObject({ data: [{}, {}], has_more: false })
  for (const named of [made.id, 'spring'])
    expect((await run(['links', 'get', named])).out).toMatch(
      /^id +lnk_.*\nslug +spring\n[^]*clicks\.total +0\n/,
    )
  expect((await run(['links', 'delete', made.id])).out).toBe(`Deleted ${made.id}.\n`)
  const api = `${sending.service.origin}/api`
  expect(await refusal(['links', 'get', made.id])).toBe(
    `No link has this id. The call went to ${api}, in the workspace of this token.`,
  )
  expect(await refusal(['links', 'get', made.id], { LINK_SERVICE_URL: sending.service.origin })).toBe(
    `No route matches this URL. The call went to ${sending.service.origin}, in the workspace of this token. Is its URL perhaps ${sending.service.origin}/api?`,
  )
})

it('webhooks: made, tested, explained, replayed, rotated and deleted', async () => {
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
  expect((await run(['explain', event_id, '--webhook', hook.id])).out).toMatch(/^wh_\w+ {2}.*paused/)
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

it('a test that does not arrive ends with 1, and says why', async () => {
  const gone = await startReceiver()
  await gone.stop()
  const { id } = await json(['webhooks', 'create', gone.origin, '--events', 'click'])
  const { code, out } = await run(['webhooks', 'test', id])
  expect(code).toBe(1)
  expect(out).toMatch(/\w+.*\n/)
})

describe('refused:', () => {
  it('words that make no sense, with exit code 2 and nothing sent', async () => {
    for (const [args, says] of [
      [['links', 'lst'], "unknown command 'lst' (Did you mean list?)"],
      [['links', 'list', '--tags', 'a'], "unknown option '--tags' (Did you mean --tag?)"],
      [['links', 'list', '--limit', '0'], "'--limit <n>' argument '0' is invalid. Give a number, or all."],
      [['links', 'update', 'lnk_x'], 'Give at least one field to change.'],
      [['webhooks', 'create', 'https://x.example'], "required option '--events <types>'"],
      [['explain', 'wh_x'], 'takes the ID of an event'],
    ] as const)
      expect(await refusal([...args], {}, 2)).toContain(says)
  })

  it('a call without a token, or with one that is none', async () => {
    expect(await refusal(['links', 'list'], { LINK_SERVICE_TOKEN: '' }, 2)).toMatch(
      /set LINK_SERVICE_TOKEN .*--token-file/,
    )
    expect(await refusal(['links', 'list'], { LINK_SERVICE_TOKEN: 'lsk x' }, 2)).toContain('is not a token')
    expect(await refusal(['links', 'list'], { LINK_SERVICE_TOKEN: 'lsk_live_x' })).toMatch(
      /^The service rejects the token\./,
    )
    const file = join(folder, 'token')
    await writeFile(file, `${sending.service.token}\n`)
    expect((await run(['links', 'list', '--token-file', file], { LINK_SERVICE_TOKEN: '' })).code).toBe(0)
    expect(await refusal(['links', 'list', '--token-file', '/nowhere'], {}, 2)).toContain(
      '--token-file could not be read',
    )
  })

  it('an address that is not that of the API', async () => {
    const whole = 'takes a whole URL that begins with http, such as http://localhost:3000/api.'
    expect(await refusal(['links', 'list', '--url', 'localhost'], {}, 2)).toBe(`--url ${whole}`)
    const fromEnvironment = { LINK_SERVICE_URL: 'localhost' }
    expect(await refusal(['links', 'list'], fromEnvironment, 2)).toBe(`LINK_SERVICE_URL ${whole}`)
    const withQuery = `${sending.service.origin}/api?token=x`
    expect(await refusal(['links', 'list', '--url', withQuery], {}, 2)).toBe(
      '--url takes a URL without a query and a fragment.',
    )
    expect(await refusal(['links', 'list', '--url', `${sending.receiver.origin}/api`])).toMatch(
      /not as the API does/,
    )
  })

  it('every wrong place of the input, each on a line', async () => {
    const wrong = await refusal(['links', 'create', 'ftp://x', '--slug', 'not a slug'], {}, 2)
    expect(wrong.split('\n')).toEqual([
      expect.stringMatching(/^--slug: .+/),
      expect.stringMatching(/^<url>: .+/),
    ])
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
  ])('a wrong value by the name that it was given: %j', async (args, named) => {
    expect(await refusal(args, {}, 2)).toMatch(named)
  })
})
