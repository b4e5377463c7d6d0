/** Both secrets are rotated by rolling restarts, with an external database and under load. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { verifyWebhook } from '@link-service/client'

import { Sealing } from '../../../src/platform/database/sealing.js'
import { getWebhookSecretContext } from '../../../src/platform/database/sealed-columns.js'
import { cookieFrom, fromPage } from '../../api/dashboard/browser.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { describeWithHaproxy } from '../../support/describe-with.js'
import { freePort } from '../../support/free-port.js'
import { startHaproxy } from '../../support/haproxy.js'
import { spawnService, startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { startReceiver } from '../../support/receiver.js'
import { call, encryptionKey as oldKey, pepper as oldPepper } from '../../support/service.js'
import { SteadyLoad } from '../../support/steady-load.js'
import { waitFor } from '../../support/wait-for.js'

const newKey = 'the next encryption key for tests, long enough'
const newPepper = 'the next pepper for tests that is long enough'
const thirdKey = 'the third encryption key for tests, long enough'

const oldOnly = { TOKEN_PEPPER: oldPepper, ENCRYPTION_KEY: oldKey }
const nextAdded = { ...oldOnly, TOKEN_PEPPER_PREVIOUS: newPepper, ENCRYPTION_KEY_PREVIOUS: newKey }
const newOnly = { TOKEN_PEPPER: newPepper, ENCRYPTION_KEY: newKey }
const swapped = { ...newOnly, TOKEN_PEPPER_PREVIOUS: oldPepper, ENCRYPTION_KEY_PREVIOUS: oldKey }

type Secrets = Record<string, string>

let folder: string
let db: TestDatabase
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link-service-keys-'))
  db = await createDatabase()
})
afterEach(async () => {
  for (const service of started.splice(0)) {
    service.kill()
    await service.gone
  }
  await db.drop()
  await rm(folder, { recursive: true, force: true })
})

const environment = (secrets: Secrets) => ({ DATABASE_URL: db.url, DATA_DIR: folder, ...secrets })
const started: ServiceProcess[] = []
const start = async (secrets: Secrets, role: string, port = 0) => {
  const service = await startProcess({
    ...environment(secrets),
    ROLE: role,
    PORT: String(port),
    DATA_DIR: join(folder, `${role}${port}`),
    RATE_LIMIT: 'off',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    SHUTDOWN_DELAY: '3s',
  })
  started.push(service)
  return service
}

async function run(args: string[], secrets: Secrets) {
  const { gone, output, errors } = spawnService(args, { ...environment(secrets), PORT: '0' })
  return { code: await gone, output: output(), errors: errors() }
}

async function readStatus(secrets: Secrets): Promise<any[]> {
  const { output, errors } = await run(['keys', 'status', '--json'], secrets)
  expect(errors).toBe('')
  return JSON.parse(output).secrets
}

async function examineRotation(secrets: Secrets): Promise<string> {
  const { checks } = JSON.parse((await run(['doctor', '--json'], secrets)).output)
  const { status, message } = checks.find(({ name }: { name: string }) => name === 'key_rotation')
  expect(status).toBe('warn')
  return message
}

describeWithHaproxy('a rotation by rolling restarts', () => {
  it('fails no request and keeps tokens, sessions, cursors and signatures', async () => {
    const ports = [await freePort(), await freePort()]
    const apis: ServiceProcess[] = []
    for (const port of ports) apis.push(await start(oldOnly, 'api', port))
    let worker = await start(oldOnly, 'worker')
    const haproxy = await startHaproxy(ports, 250)
    const receiver = await startReceiver()
    const token = apis.find(({ firstToken }) => firstToken !== null)!.firstToken!
    const send = (method: string, path: string, options: object = {}) =>
      call(haproxy.origin, method, path, { token, ...options })
    const mint = async (name: string): Promise<string> => {
      const { body } = await send('POST', '/v1/auth/token', { body: { name, scopes: ['links:read'] } })
      return body.token
    }
    const restartAll = async (secrets: Secrets, afterFirst = () => Promise.resolve()) => {
      for (const [i, port] of ports.entries()) {
        expect(await apis[i]!.stop()).toBe(0)
        apis[i] = await start(secrets, 'api', port)
        await haproxy.allUp()
        if (i === 0) await afterFirst()
      }
      await worker.stop()
      worker = await start(secrets, 'worker')
    }

    const secret = 'a signing secret of the receiver'
    await send('POST', '/v1/webhooks', {
      body: { url: `${receiver.origin}/`, events: ['link.created'], secret, headers: { 'X-Gateway': 'key' } },
    })
    const { body: link } = await send('POST', '/v1/links', { body: { url: 'https://one.example/' } })
    await send('POST', '/v1/links', { body: { url: 'https://two.example/' } })
    const { body: page } = await send('GET', '/v1/links?limit=1')
    const { body: feed } = await send('GET', '/v1/clicks?limit=1')
    const keyed = { body: { url: 'https://keyed.example/' }, headers: { 'idempotency-key': 'first' } }
    const { body: created } = await send('POST', '/v1/links', keyed)
    const unused = await mint('unused')
    const cookie = cookieFrom(
      await send('POST', '/dashboard/session', { token: null, body: { token }, headers: fromPage }),
    )
    const expectAllAccepted = async () => {
      for (const { origin } of apis) {
        const on = (path: string, options: object = {}) => call(origin, 'GET', path, { token, ...options })
        expect(await on(`/v1/links?limit=1&cursor=${page.next_cursor}`)).toMatchObject({
          body: { data: [{ id: expect.any(String) }] },
        })
        expect((await on(`/v1/clicks?limit=1&after=${feed.next_cursor}`)).status).toBe(200)
        const browser = { token: null, headers: { ...fromPage, cookie } }
        expect((await on('/dashboard/api/v1/links', browser)).status).toBe(200)
        expect((await call(origin, 'POST', '/v1/links', { token, ...keyed })).body.id).toBe(created.id)
      }
    }

    const authorization = `Bearer ${token}`
    const load = new SteadyLoad(50, [
      { url: `${haproxy.origin}/${link.slug}`, status: 302 },
      { url: `${haproxy.origin}/api/v1/links/${link.id}`, headers: { authorization }, status: 200 },
    ])
    let [isCreating, links] = [true, 3]
    const creating = (async () => {
      while (isCreating) {
        const { status } = await send('POST', '/v1/links', { body: { url: 'https://target.example/' } })
        expect(status).toBe(201)
        links += 1
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    })()
    try {
      await restartAll(nextAdded)
      await expectAllAccepted()
      expect((await readStatus(nextAdded)).map(({ state }) => state)).toEqual(['added', 'added'])

      let minted: string | undefined
      await restartAll(swapped, async () => {
        // One API already uses the new secrets, and the other one still the old ones.
        const { body } = await call(apis[0]!.origin, 'POST', '/v1/auth/token', {
          token,
          body: { name: 'during', scopes: ['links:read'] },
        })
        minted = body.token as string
        for (const { origin } of apis)
          expect((await call(origin, 'GET', '/v1/links', { token: minted })).status).toBe(200)
        await expectAllAccepted()
        expect((await run([], oldOnly)).errors).toContain('already uses a newer one')
      })
      await expectAllAccepted()
      expect((await run(['keys', 'rotate'], swapped)).output).toMatch(/3\. When .* <- next\n/)
      expect(await examineRotation(swapped)).toMatch(/tokens: 1 \(never used\)/)
      await waitFor(
        'the worker to encrypt all values again',
        async () => (await readStatus(swapped))[0].dependents.slice(0, 4).every((each: any) => !each.count),
        40_000,
      )
      expect(await examineRotation(swapped)).toContain(
        'Only stored responses of idempotency keys may still need the old ENCRYPTION_KEY.',
      )

      const tooEarly = await run([], newOnly)
      expect(tooEarly.code).toBe(1)
      expect(tooEarly.errors).toContain(
        'TOKEN_PEPPER_PREVIOUS is missing, and the database still needs the previous secret: tokens: 1',
      )
      expect((await call(apis[0]!.origin, 'GET', '/v1/links', { token: unused })).status).toBe(200)

      await restartAll(newOnly)
      for (const each of [token, unused, minted])
        expect((await call(apis[1]!.origin, 'GET', '/v1/links', { token: each! })).status).toBe(200)
      expect((await readStatus(newOnly)).map(({ state }) => state)).toEqual(['none', 'none'])
      expect((await run([], nextAdded)).errors).toContain('replaced by a key rotation')
      isCreating = false
      await creating
      await load.stop()
      expect(load.failures).toEqual([])

      await waitFor('all deliveries', () => new Set(receiver.received.map(getMessageId)).size >= links)
      for (const { headers, body } of receiver.received) {
        await verifyWebhook({ headers: headers as Record<string, string>, body }, secret, { tolerance: 3600 })
        expect(headers['x-gateway']).toBe('key')
      }
    } finally {
      isCreating = false
      await creating.catch(() => undefined)
      await load.stop()
      await haproxy.stop()
      await receiver.stop()
    }
  }, 240_000)
})

const getMessageId = ({ headers }: { headers: NodeJS.Dict<string | string[]> }) => headers['webhook-id']

it('continues after a worker is killed while it encrypts values again', async () => {
  const count = 4_000
  const api = await start(oldOnly, 'api')
  await call(api.origin, 'POST', '/v1/webhooks', {
    token: api.firstToken!,
    body: { url: 'https://receiver.example/', events: ['*'] },
  })
  await api.stop()
  await db.query(
    `INSERT INTO webhooks SELECT (jsonb_populate_record(webhooks, jsonb_build_object('id', gen_random_uuid()))).*
     FROM webhooks, generate_series(2, $1)`,
    [count],
  )
  const readWebhooks = () =>
    db.query<{ id: string; sealed_secret: Buffer }>('SELECT id, sealed_secret FROM webhooks')
  const before = new Sealing({ encryptionKey: oldKey, encryptionKeyPrevious: null })
  const webhooks = await readWebhooks()
  await db.query(
    `UPDATE webhooks SET sealed_secret = sealed
     FROM unnest($1::uuid[], $2::bytea[]) AS batch (webhook_id, sealed) WHERE id = webhook_id`,
    [
      webhooks.map(({ id }) => id),
      webhooks.map(({ id }) => before.seal(`secret ${id}`, getWebhookSecretContext(id))),
    ],
  )
  const after = new Sealing({ encryptionKey: newKey, encryptionKeyPrevious: null })
  const countReplaced = async () => {
    const rows = await readWebhooks()
    const isNew = (row: (typeof rows)[number]) =>
      after.findKey(row.sealed_secret, getWebhookSecretContext(row.id)) === 'current'
    return rows.filter(isNew).length
  }

  const killed = await start(swapped, 'worker')
  await waitFor('the first values', async () => (await countReplaced()) > 0)
  killed.kill()
  await killed.gone
  const replaced = await countReplaced()
  expect(replaced).toBeLessThan(count)

  const workers = [await start(swapped, 'worker'), await start(swapped, 'worker')]
  await waitFor('all values', async () => (await countReplaced()) === count, 60_000)
  for (const each of workers) await each.stop()
  for (const { id, sealed_secret } of await readWebhooks())
    expect(after.open(sealed_secret, getWebhookSecretContext(id))).toBe(`secret ${id}`)
}, 180_000)

describe('a webhook secret that is encrypted with the old key', () => {
  const needed = 'webhook secrets: 1'
  beforeEach(async () => {
    const api = await start(oldOnly, 'api')
    await call(api.origin, 'POST', '/v1/webhooks', {
      token: api.firstToken!,
      body: { url: 'https://receiver.example/', events: ['*'] },
    })
    await api.stop()
    await (await start(swapped, 'api')).stop()
  })

  it('is counted by a command whose settings are not swapped', async () => {
    const [key] = await readStatus(nextAdded)
    expect(key).toMatchObject({ state: 'rotating', can_finish: false })
    expect(key.dependents[0]).toMatchObject({ kind: 'webhook secrets', count: 1 })
    const refused = await run(['keys', 'finish'], nextAdded)
    expect(refused.code).toBe(1)
    expect(refused.errors).toContain(needed)
  })

  it('prevents a start with a third key instead of the old one', async () => {
    const third = { ...swapped, ENCRYPTION_KEY_PREVIOUS: thirdKey }
    await expect(start(third, 'api')).rejects.toThrow(needed)
  })

  it('allows another rotation after a worker has re-encrypted it', async () => {
    const worker = await start(swapped, 'worker')
    await waitFor(
      'the worker to encrypt the secret again',
      async () => (await readStatus(swapped))[0].dependents[0].count === 0,
      40_000,
    )
    await worker.stop()
    const third = { ...swapped, ENCRYPTION_KEY: thirdKey, ENCRYPTION_KEY_PREVIOUS: newKey }
    await (await start(third, 'api')).stop()
    expect((await readStatus(third))[0]).toMatchObject({
      state: 'rotating',
      dependents: [{ count: 1 }, {}, {}, {}, {}],
    })
  })
})
