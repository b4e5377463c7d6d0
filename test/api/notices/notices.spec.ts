/** Notices for people, received by real HTTP and SMTP servers. Tests run the job and move times. */
import { randomUUID } from 'node:crypto'

import { maxListed } from '../../../src/notices/notice-texts.js'
import { NoticesJob } from '../../../src/notices/notices.job.js'
import { QueueProcessor } from '../../../src/platform/queue/queue.processor.js'
import { startMailServer } from '../../support/mail-server.js'
import type { MailServer } from '../../support/mail-server.js'
import { startReceiver } from '../../support/receiver.js'
import type { Receiver } from '../../support/receiver.js'
import { startService } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'
import type { Service } from '../../support/service.js'

let service: Service
let receiver: Receiver
let mail: MailServer
let status = 200
/** The first message to each path that begins with /held is accepted when this promise resolves. */
let accepted = Promise.resolve()
beforeAll(async () => {
  receiver = await startReceiver((request, response) => {
    const respond = (code: number) => response.writeHead(code).end()
    if (!request.path.startsWith('/held') || receiver.requestsTo(request.path).length > 1) respond(status)
    else void accepted.then(() => respond(200))
  })
  mail = await startMailServer({ user: 'links', password: 'p@ss' })
  service = await startService({
    env: {
      ROLE: 'all',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      NOTICES: `slack:${receiver.origin}/operator,smtp://links:p%40ss@127.0.0.1:${mail.port}/?from=links@example.com&to=ops@example.com`,
      NOTICE_EVENTS: 'token.created',
      PUBLIC_URL: 'https://links.example',
    },
  })
  // Only the tests run the job, so all messages are sent and recorded when `run` returns.
  await service.app.get(QueueProcessor).stopTaking()
  await service.addWorkspace('others')
  await service.addWorkspace('redirected')
  // For targets that receive nothing.
  await service.addWorkspace('unused')
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
  await mail.stop()
})
beforeEach(async () => {
  status = 200
  await service.db.query('DELETE FROM notice_tests')
})

const job = () => service.app.get(NoticesJob, { strict: false })
const run = () => job().handle()
const createToken = (name = 'ci', token = service.token) =>
  service.call('POST', '/v1/auth/token', { token, body: { name, scopes: ['links:read'] } })
const addTarget = async (path: string, fields: object = {}, token = service.token) =>
  service.call('POST', '/v1/workspace/notices', {
    token,
    body: { type: 'slack', address: receiver.origin + path, events: ['token.created'], ...fields },
  })
const messagesTo = (path: string) => receiver.requestsTo(path).map(({ body }) => JSON.parse(body))
const mailsTo = (address: string) => mail.received.filter(({ to }) => to.includes(address))
/** Returns a function that accepts the held messages. */
function holdMessages(): () => void {
  let accept!: () => void
  accepted = new Promise((resolve) => (accept = resolve))
  return accept
}
const waitUntilHeld = (path: string) =>
  waitFor(`a message to ${path}`, () => receiver.requestsTo(path).length > 0)
const getMessageText = (message: any): string => message.blocks[1].text.text
/** Moves the last messages into the past, as after an hour. No message may be in flight. */
const letAnHourPass = () =>
  service.db.query(
    `UPDATE notice_groups SET sent_at = sent_at - interval '61 minutes', next_attempt_at = next_attempt_at - interval '61 minutes'`,
  )

describe('a target', () => {
  it('is listed with a masked address and deleted, and both are in the audit log', async () => {
    const created = await addTarget('/services/T000/B000/secretpart')
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({ type: 'slack', events: ['token.created'], last_sent_at: null })
    expect(created.body.address).toMatch(/^127\.0\.0\.1:\d+\/…part$/)
    const list = await service.call('GET', '/v1/workspace/notices')
    expect(list.body.data).toEqual([created.body])
    const path = `/v1/workspace/notices/${created.body.id}`
    const { token } = await service.mint(undefined, 'others')
    expect((await service.call('DELETE', path, { token })).status).toBe(404)
    expect((await service.call('DELETE', path)).status).toBe(204)
    expect((await service.call('DELETE', path)).status).toBe(404)
    const { text } = await service.call('GET', '/v1/audit-log?limit=20')
    expect(text).toContain('notice_target.created')
    expect(text).toContain('notice_target.deleted')
    for (const secret of [list.text, text]) expect(secret).not.toContain('secretpart')
    const stored = await service.db.query<any>('SELECT * FROM audit_log')
    expect(JSON.stringify(stored)).not.toContain('secretpart')
  })

  it.each([
    ['a private IP address', { address: 'https://10.0.0.1/hook' }, '/address', 'blocked_address'],
    ['a URL with credentials', { address: 'https://u:p@hooks.example/x' }, '/address', 'invalid_url'],
    ['an unknown type', { type: 'sms' }, '/type', 'invalid_target'],
    ['an event of links', { events: ['link.created'] }, '/events', 'invalid_events'],
    [
      'two mail addresses',
      { type: 'email', address: 'a@x.example,b@x.example' },
      '/address',
      'invalid_mail_address',
    ],
    [
      'a header in a mail address',
      { type: 'email', address: 'a@x.example\nBcc:b' },
      '/address',
      'invalid_text',
    ],
  ])('is rejected with %s', async (_case, fields, pointer, code) => {
    const { status: answered, body } = await addTarget('/x', fields)
    expect([answered, body.errors]).toEqual([422, [expect.objectContaining({ pointer, code })]])
  })

  it('can be read at the Location of its creation', async () => {
    const { token } = await service.mint(undefined, 'unused')
    const created = await addTarget('/located', {}, token)
    const location = created.headers.get('location')!
    expect(location).toBe(`/api/v1/workspace/notices/${created.body.id}`)
    const path = location.replace('/api', '')
    const read = await service.call('GET', path, { token })
    expect([read.status, read.body]).toEqual([200, created.body])
    expect((await service.call('GET', path)).status).toBe(404)
  })

  it('is neither changed nor deleted with an old ETag', async () => {
    const { token } = await service.mint(undefined, 'unused')
    const created = await addTarget('/versioned', {}, token)
    const path = `/v1/workspace/notices/${created.body.id}`
    const options = { token, headers: { 'if-match': created.headers.get('etag')! } }
    const change = (events: string[]) => service.call('PATCH', path, { ...options, body: { events } })
    expect((await change(['webhook.failing'])).status).toBe(200)
    expect((await change(['webhook.disabled'])).body.code).toBe('precondition_failed')
    expect((await service.call('DELETE', path, options)).body.code).toBe('precondition_failed')
    const { body } = await service.call('GET', path, { token })
    expect(body.events).toEqual(['webhook.failing'])
  })

  it('is masked without splitting characters', async () => {
    const { token } = await service.mint(undefined, 'unused')
    const ofSlack = await addTarget('/😀abc', {}, token)
    expect([ofSlack.status, ofSlack.body.address]).toEqual([201, expect.stringMatching(/\/…😀abc$/u)])
    const ofMail = await addTarget('', { type: 'email', address: '😀ops@example.com' }, token)
    expect([ofMail.status, ofMail.body.address]).toEqual([201, '😀…@example.com'])
  })

  it('for token events requires tokens:read', async () => {
    const { token } = await service.mint('webhooks:write,events:read')
    const refused = await addTarget('/x', { events: undefined }, token)
    expect([refused.status, refused.body.required]).toEqual([403, ['tokens:read']])
    expect((await addTarget('/scoped', { events: ['webhook.failing'] }, token)).status).toBe(201)
  })
})

describe('a message', () => {
  it('is sent immediately, and then at most once an hour with all later events', async () => {
    // Sends the notices of earlier tests.
    await letAnHourPass()
    await run()
    await letAnHourPass()
    const before = messagesTo('/operator').length
    await createToken('first')
    // Two workers at the same time.
    await Promise.all([run(), run()])
    expect(messagesTo('/operator')).toHaveLength(before + 1)
    for (let i = 0; i < 25; i++) await createToken(`later ${i}`)
    await run()
    expect(messagesTo('/operator')).toHaveLength(before + 1)
    await letAnHourPass()
    await run()
    const [first, second, ...others] = messagesTo('/operator').slice(before)
    expect(others).toEqual([])
    expect(first.text).toBe('A token was created')
    expect(getMessageText(first)).toContain('Token "first"')
    expect(getMessageText(first)).toContain(
      '<https://links.example/dashboard/settings/tokens|Open the dashboard>',
    )
    expect(second.text).toBe('25 tokens were created')
    expect(getMessageText(second)).toContain('Token "later 0"')
    expect(getMessageText(second)).toContain('5 more.')
    const lastMail = mailsTo('ops@example.com').at(-1)!
    expect(lastMail).toMatchObject({ from: 'links@example.com', to: ['ops@example.com'] })
    expect(lastMail.content).toContain('Subject: 25 tokens were created')
  })

  it('cannot contain mentions or links from users', async () => {
    await addTarget('/escaped')
    await addTarget('/escaped-discord', { type: 'discord' })
    await run()
    await letAnHourPass()
    await createToken('<!channel> @everyone [x](https://evil.example)')
    await run()
    const [slack] = messagesTo('/escaped')
    expect(getMessageText(slack)).toContain('&lt;!channel&gt;')
    const [discord] = messagesTo('/escaped-discord')
    expect(discord.allowed_mentions).toEqual({ parse: [] })
    expect(discord.embeds[0].description).not.toContain('](https://evil')
  })

  it('is retried until the target accepts it, and the target shows why it failed', async () => {
    const { body: target } = await addTarget('/failing')
    status = 500
    await createToken('lost?')
    await run()
    const shown = async () =>
      (await service.call('GET', '/v1/workspace/notices')).body.data.find(({ id }: any) => id === target.id)
    expect(await shown()).toMatchObject({
      last_sent_at: null,
      failing_since: expect.any(String),
      last_error: expect.stringContaining('500'),
    })
    await run()
    expect(messagesTo('/failing')).toHaveLength(1)
    status = 200
    await letAnHourPass()
    await run()
    expect(await shown()).toMatchObject({
      last_sent_at: expect.any(String),
      failing_since: null,
      last_error: null,
    })
    expect(messagesTo('/failing')).toHaveLength(2)
    expect(getMessageText(messagesTo('/failing')[1])).toContain('lost?')
  })

  it('goes only to the targets of its workspace and of the operator', async () => {
    await addTarget('/own')
    const other = await service.mint(undefined, 'others')
    await run()
    await letAnHourPass()
    const before = messagesTo('/operator').length
    const own = messagesTo('/own').length
    await createToken('foreign', other.token)
    await run()
    expect(messagesTo('/own')).toHaveLength(own)
    expect(messagesTo('/operator')).toHaveLength(before + 1)
    expect(messagesTo('/operator').at(-1).blocks[2].elements[0].text).toContain('others')
  })

  it('is not sent to a deleted target', async () => {
    const { body } = await addTarget('/deleted')
    status = 500
    await createToken()
    await run()
    expect(messagesTo('/deleted')).toHaveLength(1)
    await service.call('DELETE', `/v1/workspace/notices/${body.id}`)
    status = 200
    await letAnHourPass()
    await run()
    expect(messagesTo('/deleted')).toHaveLength(1)
  })
})

describe('a test', () => {
  const test = (token = service.token) => service.call('POST', '/v1/workspace/notices/test', { token })

  it('is sent to each target of the workspace, and returns why one failed', async () => {
    const { token } = await service.mint(undefined, 'others')
    await addTarget('/tested', {}, token)
    await addTarget('', { type: 'email', address: 'team@example.com' }, token)
    status = 403
    const { status: answered, body } = await test(token)
    expect(answered).toBe(200)
    expect(body.results).toEqual([
      expect.objectContaining({ type: 'slack', delivered: false, error: expect.stringContaining('403') }),
      { id: expect.any(String), type: 'email', address: 't…@example.com', delivered: true, error: null },
    ])
    expect(mailsTo('team@example.com')).toHaveLength(1)
    expect((await test(token)).status).toBe(429)
  })

  it('does not show the address to which a target redirects', async () => {
    // Many servers redirect to the same address with another scheme or a final slash.
    const redirecting = await startReceiver(({ path }, response) => {
      response.writeHead(301, { location: `https://chat.example${path}/` }).end()
    })
    const { token } = await service.mint(undefined, 'redirected')
    const { body: target } = await addTarget(
      '',
      { address: `${redirecting.origin}/services/secretpart` },
      token,
    )
    const { body, text } = await service.call('POST', '/v1/workspace/notices/test', { token })
    await redirecting.stop()
    expect(body.results).toEqual([expect.objectContaining({ id: target.id, delivered: false })])
    expect(body.results[0].error).toContain('301')
    expect(text).not.toContain('secretpart')
  })

  it('includes the targets in NOTICES only for instance:read', async () => {
    const { token } = await service.mint('webhooks:write,instance:read')
    const { body } = await test(token)
    const ofOperator = body.results.filter(({ id }: any) => id === null)
    expect(ofOperator.map(({ type, delivered }: any) => [type, delivered])).toEqual([
      ['slack', true],
      ['email', true],
    ])
  })
})

// Last, because its tokens create messages in both workspaces.
describe('a change to a target', () => {
  it('replaces the events, and drops unsent notices of the others', async () => {
    const { body: target } = await addTarget('/changed')
    status = 500
    await createToken()
    await run()
    expect(messagesTo('/changed')).toHaveLength(1)
    const path = `/v1/workspace/notices/${target.id}`
    const change = (events: string[], token = service.token) =>
      service.call('PATCH', path, { token, body: { events } })
    const { body } = await change(['webhook.failing', 'webhook.failing'])
    expect(body).toMatchObject({ id: target.id, events: ['webhook.failing'], failing_since: null })
    const unsent = `SELECT FROM notice_groups WHERE next_attempt_at IS NOT NULL
      AND target_id = (SELECT id FROM notice_targets WHERE address_hint = $1)`
    expect(await service.db.query(unsent, [target.address])).toEqual([])
    expect((await change(['webhook.disabled'])).status).toBe(200)
    const { token } = await service.mint('webhooks:write,events:read')
    expect((await change(['token.created'], token)).body.required).toEqual(['tokens:read'])
    expect((await change([])).body.errors).toEqual([expect.objectContaining({ pointer: '/events' })])
    expect((await service.call('PATCH', path, { body: {} })).body.events).toEqual(['webhook.disabled'])
    const other = await service.mint(undefined, 'others')
    expect((await change(['webhook.failing'], other.token)).status).toBe(404)
    const { body: log } = await service.call('GET', '/v1/audit-log?action=notice_target.changed')
    expect(log.data.map(({ details }: any) => details)).toEqual([
      { events: ['webhook.disabled'] },
      { events: ['webhook.failing'] },
    ])
  })

  it('keeps its notices for a day while only another worker knows it', async () => {
    const targetId = randomUUID()
    await service.db.query(
      `INSERT INTO notice_groups (target_id, workspace_id, type, event_ids, count, next_attempt_at)
       SELECT $1, id, 'token.created', '{}', 1, now() - interval '23 hours' FROM workspaces LIMIT 1`,
      [targetId],
    )
    const find = () =>
      service.db.query('SELECT count, attempts FROM notice_groups WHERE target_id = $1', [targetId])
    await job().deleteAbandoned()
    expect(await find()).toEqual([{ count: 1, attempts: 0 }])
    await service.db.query(
      `UPDATE notice_groups SET next_attempt_at = now() - interval '25 hours' WHERE target_id = $1`,
      [targetId],
    )
    await job().deleteAbandoned()
    expect(await find()).toEqual([])
  })

  it.each([
    ['sent', 'sent_at'],
    ['given up', 'failing_since'],
  ])('deletes the group of a removed target a day after its events were %s', async (_case, column) => {
    const targetId = randomUUID()
    await service.db.query(
      `INSERT INTO notice_groups (target_id, workspace_id, type, ${column})
       SELECT $1, id, 'token.created', now() - interval '23 hours' FROM workspaces LIMIT 1`,
      [targetId],
    )
    const find = () => service.db.query('SELECT FROM notice_groups WHERE target_id = $1', [targetId])
    await job().deleteAbandoned()
    expect(await find()).toHaveLength(1)
    await service.db.query(
      `UPDATE notice_groups SET ${column} = now() - interval '25 hours' WHERE target_id = $1`,
      [targetId],
    )
    await job().deleteAbandoned()
    expect(await find()).toEqual([])
  })

  it('deletes the groups of removed targets once an hour', async () => {
    const addGroup = async () => {
      const targetId = randomUUID()
      await service.db.query(
        `INSERT INTO notice_groups (target_id, workspace_id, type, sent_at)
         SELECT $1, id, 'token.created', now() - interval '25 hours' FROM workspaces LIMIT 1`,
        [targetId],
      )
      await run()
      return service.db.query('SELECT FROM notice_groups WHERE target_id = $1', [targetId])
    }
    await addGroup()
    expect(await addGroup()).toHaveLength(1)
    await job().deleteAbandoned()
  })

  it('does not allow a second message within an hour', async () => {
    const { body: target } = await addTarget('/limited')
    await createToken()
    await run()
    await createToken('dropped')
    await run()
    for (const events of [['webhook.failing'], ['token.created']])
      await service.call('PATCH', `/v1/workspace/notices/${target.id}`, { body: { events } })
    await createToken('second')
    await run()
    const [group] = await service.db.query<{ count: number; waits: boolean }>(
      `SELECT count, next_attempt_at > now() + interval '50 minutes' AS waits FROM notice_groups
       WHERE target_id = (SELECT id FROM notice_targets WHERE address_hint = $1)`,
      [target.address],
    )
    expect(group).toEqual({ count: 1, waits: true })
    expect(messagesTo('/limited')).toHaveLength(1)
  })

  /** Adds a target, and unsubscribes and subscribes it again while its first message is on its way. */
  async function resubscribeWhileSending(path: string) {
    const { body: target } = await addTarget(path)
    const accept = holdMessages()
    await createToken('first')
    const sending = run()
    await waitUntilHeld(path)
    for (const events of [['webhook.failing'], ['token.created']])
      await service.call('PATCH', `/v1/workspace/notices/${target.id}`, { body: { events } })
    return { target, accept, sending }
  }

  it('does not allow a second message within an hour while the first is on its way', async () => {
    const { target, accept, sending } = await resubscribeWhileSending('/held-first')
    accept()
    await sending
    await createToken('second')
    await run()
    const [group] = await service.db.query<{ count: number; waits: boolean }>(
      `SELECT count, next_attempt_at > now() + interval '50 minutes' AS waits FROM notice_groups
       WHERE target_id = (SELECT id FROM notice_targets WHERE address_hint = $1) AND type = 'token.created'`,
      [target.address],
    )
    expect(group).toEqual({ count: 1, waits: true })
    expect(messagesTo('/held-first')).toHaveLength(1)
  })

  it('loses no later event while a message is on its way', async () => {
    const { accept, sending } = await resubscribeWhileSending('/held')
    status = 500
    await createToken('later')
    await run()
    expect(messagesTo('/held')).toHaveLength(2)
    accept()
    await sending
    status = 200
    await letAnHourPass()
    await run()
    expect(messagesTo('/held')).toHaveLength(3)
    expect(getMessageText(messagesTo('/held')[2])).toContain('later')
  })

  it('lists events that occurred while a message with many events was on its way', async () => {
    await addTarget('/held-many')
    const accept = holdMessages()
    for (let i = 0; i < maxListed; i++) await createToken(`early ${i}`)
    const sending = run()
    await waitUntilHeld('/held-many')
    await createToken('late')
    await run()
    accept()
    await sending
    await letAnHourPass()
    await run()
    expect(messagesTo('/held-many')).toHaveLength(2)
    expect(getMessageText(messagesTo('/held-many')[1])).toContain('Token "late"')
  })
})
