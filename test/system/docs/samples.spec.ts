/** Runs the programs in docs/samples against the service. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { load } from 'js-yaml'

import { exampleEvent } from '../../../src/events/payloads.js'
import { createSignedHeaders, getSigningKey } from '../../../src/webhooks/signing.js'
import { waitForCompleteFeed } from '../../support/factories/events.js'
import { firefox, makeLink, visit } from '../../support/factories/links.js'
import { freePort } from '../../support/free-port.js'
import { itIf, startServer, succeeds } from '../../support/program.js'
import { startReceiver } from '../../support/receiver.js'
import { respondWith, startRelay } from '../../support/relay.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

const sample = (name: string) => resolve('docs/samples', name)
/** A Python that has the packages of docs/samples/requirements.txt. */
const python = process.env['SAMPLES_PYTHON'] ?? 'python3'
const installPython = 'Install docs/samples/requirements.txt, and set SAMPLES_PYTHON to that Python.'
const timeoutMs = 120_000
const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`

let folder: string
let service: Service
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link-service-samples-'))
  const env = { ROLE: 'all', WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' }
  service = await startService({ env })
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

function hasModule(name: string): boolean {
  try {
    createRequire(sample('package.json')).resolve(name)
    return true
  } catch {
    return false
  }
}

/** Does not block, because the service runs in this process. */
const runFile = promisify(execFile)

async function buildGo(): Promise<string[]> {
  const program = join(folder, 'go-receiver')
  await runFile('go', ['build', '-o', program, '.'], { cwd: sample('go') })
  return [program]
}

interface Framework {
  isInstalled: boolean
  install: string
  command: () => string[] | Promise<string[]>
}

const frameworks: Record<string, Framework> = {
  Express: {
    isInstalled: hasModule('express'),
    install: 'Run: npm install --prefix docs/samples',
    command: () => [process.execPath, sample('express.mjs')],
  },
  Fastify: {
    isInstalled: true,
    install: '',
    command: () => [process.execPath, sample('fastify.mjs')],
  },
  'Next.js': {
    isInstalled: true,
    install: '',
    command: () => [process.execPath, resolve('test/support/serve-route.js'), sample('next-route.js')],
  },
  Flask: {
    isInstalled: succeeds(python, '-c', 'import flask, standardwebhooks'),
    install: installPython,
    command: () => [python, sample('flask_receiver.py')],
  },
  Go: {
    isInstalled: succeeds('go', '-C', sample('go'), 'mod', 'download'),
    install: 'Install Go, and run: go mod download',
    command: buildGo,
  },
}

async function createWebhook(url: string, events: string[]): Promise<{ id: string; secret: string }> {
  return (await service.call('POST', '/v1/webhooks', { body: { url, events, secret } })).body
}

/** Returns the newest attempt of a delivery of the webhook after a number of attempts. */
function attempt(webhookId: string, count: number): Promise<any> {
  return waitFor(`attempt ${count}`, async () => {
    const { body } = await service.call('GET', `/v1/webhooks/${webhookId}/deliveries`)
    return body.data[0]?.attempt_count === count && body.data[0]
  })
}

describe.each(Object.entries(frameworks))(
  'the receiver for %s',
  (name, { isInstalled, install, command }) => {
    itIf(isInstalled, `the receiver for ${name}`, install)(
      'handles a delivery once and rejects invalid requests',
      async () => {
        const port = String(await freePort())
        const origin = `http://127.0.0.1:${port}`
        const receiver = await startServer(await command(), { WEBHOOK_SECRET: secret, PORT: port }, origin)
        try {
          const { id } = await createWebhook(`${origin}/hooks`, ['link.created'])
          await makeLink(service, { title: 'Fünf € für Ümläute' })
          const delivery = await attempt(id, 1)
          expect(delivery.last_attempt).toMatchObject({ status_code: 204, error: null })
          const handled = () =>
            receiver.output().match(new RegExp(`^link.created ${delivery.event_id}$`, 'gm'))
          await waitFor('the handled event', handled)
          await service.call('POST', `/v1/webhooks/${id}/deliveries/${delivery.id}/redeliver`)
          expect((await attempt(id, 2)).last_attempt.status_code).toBe(204)

          const example = exampleEvent('click')
          const body = JSON.stringify(example)
          const signed = (by: string, at = new Date()) =>
            createSignedHeaders({ id: example.id, body, attempt: 1, sequence: 1 }, [getSigningKey(by)], at)
          const post = async (headers: Record<string, string>, text = body) =>
            (await fetch(`${origin}/hooks`, { method: 'POST', headers, body: text })).status
          expect(await post(signed('another secret'))).toBe(400)
          expect(await post(signed(secret), `${body} `)).toBe(400)
          expect(await post(signed(secret, new Date(Date.now() - 600_000)))).toBe(400)
          expect(await post({ 'content-type': 'application/json' })).toBe(400)
          // The last valid request shows that all earlier output has arrived.
          expect(await post(signed(secret))).toBe(204)
          await waitFor('the last event', () => receiver.output().includes(`click ${example.id}`))
          expect(handled()).toHaveLength(1)
          expect(receiver.output().match(/^click /gm)).toHaveLength(1)
        } finally {
          await receiver.stop()
        }
      },
      timeoutMs,
    )
  },
)

describe('the adapter', () => {
  const responses: { status: number; headers?: Record<string, string> }[] = []
  const stops: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop()
  })

  async function start(format: string) {
    const target = await startReceiver((_request, response) => {
      const { status, headers = {} } = responses.shift() ?? { status: 200 }
      response.writeHead(status, headers).end('no_service')
    })
    stops.push(() => target.stop())
    const port = String(await freePort())
    const origin = `http://127.0.0.1:${port}`
    const env = { WEBHOOK_SECRET: secret, FORMAT: format, TARGET_URL: `${target.origin}/in`, PORT: port }
    const adapter = await startServer([process.execPath, sample('adapter.mjs')], env, origin)
    stops.push(() => adapter.stop())
    return {
      url: `${origin}/hooks`,
      bodies: () => target.requestsTo('/in').map(({ body }) => JSON.parse(body)),
    }
  }

  it('escapes Slack markup', async () => {
    const adapter = await start('slack')
    const { id } = await createWebhook(adapter.url, ['link.created'])
    const { slug } = await makeLink(service, { url: 'https://example.com/?a=1&b=<!channel>' })
    await attempt(id, 1)
    const [{ text }] = adapter.bodies()
    expect(text).toContain(`/${slug} to https://example.com/?a=1&amp;b=`)
    expect(text).not.toMatch(/[<>]/)
  })

  it('sends Discord a message without mentions', async () => {
    const adapter = await start('discord')
    const { id } = await createWebhook(adapter.url, ['link.created'])
    await makeLink(service, { url: 'https://example.com/@everyone' })
    await attempt(id, 1)
    expect(adapter.bodies()).toEqual([
      { content: expect.stringContaining('/@everyone'), allowed_mentions: { parse: [] } },
    ])
  })

  it('describes every event type', async () => {
    const adapter = await start('discord')
    const { id } = await createWebhook(adapter.url, ['*'])
    const { body: types } = await service.call('GET', '/v1/event-types')
    for (const { name } of types.data)
      await service.call('POST', `/v1/webhooks/${id}/test`, { body: { event: name } })
    const texts = adapter.bodies().map(({ content }) => content)
    expect(texts).toHaveLength(types.data.length)
    for (const text of texts) expect(text).toMatch(/^\S.*: \S|^Click on http\S+ from DE$/)
  })

  it('forwards each event once as JSON, and only if the signature is valid', async () => {
    const adapter = await start('json')
    const { id } = await createWebhook(adapter.url, ['link.created'])
    await makeLink(service)
    const { id: deliveryId, event_id: eventId } = await attempt(id, 1)
    await service.call('POST', `/v1/webhooks/${id}/deliveries/${deliveryId}/redeliver`)
    expect((await attempt(id, 2)).last_attempt.status_code).toBe(204)
    expect((await fetch(adapter.url, { method: 'POST', body: '{}' })).status).toBe(400)
    expect(adapter.bodies().map((event) => event.id)).toEqual([eventId])
  })

  it('reports a failing target, and passes on its Retry-After', async () => {
    const adapter = await start('slack')
    const { id } = await createWebhook(adapter.url, ['link.created'])
    const test = async () => (await service.call('POST', `/v1/webhooks/${id}/test`)).body.attempt
    responses.push({ status: 404 }, { status: 429, headers: { 'retry-after': '7' } })
    expect(await test()).toMatchObject({
      status_code: 502,
      response_body: 'The target responded with 404: no_service',
    })
    expect(await test()).toMatchObject({
      status_code: 429,
      response_headers: expect.objectContaining({ 'retry-after': '7' }),
    })
    expect(await test()).toMatchObject({ status_code: 204 })
  })
})

describe('the analytics notebook', () => {
  const isInstalled = succeeds(python, '-c', 'import link_service, matplotlib, pandas')
  itIf(isInstalled, 'the analytics notebook', `${installPython} Install clients/python there too.`)(
    'counts clicks, draws a chart, and resumes the feed',
    async () => {
      const link = await makeLink(service)
      await visit(service, link.slug, { 'user-agent': firefox })
      await waitFor('the click', async () => {
        const { body } = await service.call('GET', `/v1/links/${link.id}`)
        return body.clicks.total === 1
      })
      await waitForCompleteFeed(service, 'clicks')
      const run = async () => {
        const env = {
          ...process.env,
          LINK_SERVICE_URL: `${service.origin}/api`,
          LINK_SERVICE_TOKEN: service.token,
        }
        return (await runFile(python, [sample('analytics.py')], { cwd: folder, env })).stdout
      }
      const first = await run()
      expect(first).toMatch(new RegExp(`^ *${link.slug} .* 1$`, 'm'))
      expect(first).toMatch(/^Human clicks: 1 of 1$/m)
      expect(first).toMatch(/^unknown +1$/m)
      expect(first).toMatch(/^New clicks in clicks.csv: 1$/m)
      expect(await readFile(join(folder, 'clicks.svg'), 'utf8')).toContain('<svg')
      expect(await run()).toMatch(/^New clicks in clicks.csv: 0$/m)
      const [header, ...rows] = (await readFile(join(folder, 'clicks.csv'), 'utf8')).trim().split('\n')
      expect(header).toBe('id,occurred_at,slug,bot,country,referrer_host,device')
      expect(rows).toEqual([expect.stringContaining(link.slug)])
    },
    timeoutMs,
  )
})

describe('the workflow for releases', () => {
  const tag = 'v1.2/beta 1'
  const releaseUrl = 'https://github.com/example/project/releases/tag/v1.2'

  interface Step {
    name: string
    run: string
  }

  /** Returns the scripts of the steps by name. */
  async function readSteps(): Promise<Record<string, string>> {
    const { jobs } = load(await readFile(sample('release-link.yml'), 'utf8')) as {
      jobs: { link: { steps: Step[] } }
    }
    return Object.fromEntries(jobs.link.steps.map(({ name, run }) => [name, run]))
  }

  /** Runs a command with the variables of the workflow, and returns the outputs of the step. */
  async function runStep(command: string[], env: Record<string, string> = {}): Promise<string> {
    const outputs = join(folder, 'outputs')
    await writeFile(outputs, '')
    const [program = '', ...args] = command
    await runFile(program, args, {
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        LINK_SERVICE_URL: `${service.origin}/api`,
        LINK_SERVICE_TOKEN: service.token,
        TAG: tag,
        RELEASE_URL: releaseUrl,
        GITHUB_OUTPUT: outputs,
        ...env,
      },
    })
    return readFile(outputs, 'utf8')
  }

  const hasPrograms = succeeds('jq', '--version') && succeeds('curl', '--version')
  itIf(hasPrograms, 'the workflow for releases', 'Install jq and curl to test it.')(
    'creates one link per release, with curl or the client',
    async () => {
      const { 'Create the link': script = '' } = await readSteps()
      const first = await runStep(['bash', '-e', '-c', script])
      const { body } = await service.call(
        'GET',
        `/v1/links?external_id=${encodeURIComponent(`release-${tag}`)}`,
      )
      const [link] = body.data
      expect(link).toMatchObject({ url: releaseUrl, title: `Release ${tag}`, tags: ['release'] })
      expect(first).toBe(`short_url=${link.short_url}\n`)
      expect(await runStep(['bash', '-e', '-c', script])).toBe(first)
      expect(await runStep([process.execPath, sample('release-link.mjs')])).toBe(first)
      const rejected = runStep(['bash', '-e', '-c', script], { LINK_SERVICE_TOKEN: 'unknown' })
      await expect(rejected).rejects.toMatchObject({ code: 22 })
      const relay = await startRelay(service.origin)
      try {
        relay.faults.push(respondWith(503, { code: 'unavailable' }))
        const env = { LINK_SERVICE_URL: `${relay.origin}/api` }
        expect(await runStep(['bash', '-e', '-c', script], env)).toBe(first)
        expect(relay.requests).toHaveLength(2)
      } finally {
        await relay.stop()
      }
    },
    timeoutMs,
  )

  it('adds the link to the release notes once', async () => {
    const { 'Add the link to the release notes': script = '' } = await readSteps()
    // A stub of the GitHub CLI, which prints the arguments of `gh release edit`.
    const gh =
      'gh() { if [ "$2" = view ]; then echo "$NOTES"; else printf "%s\\n" "$@" >> "$GITHUB_OUTPUT"; fi; }'
    const env = { SHORT_URL: 'https://links.example/abc', NOTES: 'Fixes.' }
    expect(await runStep(['bash', '-e', '-c', `${gh}\n${script}`], env)).toBe(
      `release\nedit\n${tag}\n--notes\nFixes.\n\nShort link: https://links.example/abc\n`,
    )
    const again = { ...env, NOTES: 'Fixes.\n\nShort link: https://links.example/abc' }
    expect(await runStep(['bash', '-e', '-c', `${gh}\n${script}`], again)).toBe('')
  })
})
