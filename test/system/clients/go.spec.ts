/** Compiles and runs clients/go: its tests, its README, an example and the code samples of the document. */
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { createSampleRequest } from '../../../src/app/docs/samples/sample-request.js'
import { exampleEvent } from '../../../src/events/payloads.js'
import { createSignedHeaders, getSigningKey } from '../../../src/webhooks/signing.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { freePort } from '../../support/free-port.js'
import { itIf, startServer } from '../../support/program.js'
import { startReceiver } from '../../support/receiver.js'
import { startRelay } from '../../support/relay.js'
import type { Relay } from '../../support/relay.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

const client = resolve('clients/go')
const timeoutMs = 120_000
const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
/** Every package is in the standard library. A newer Go is not downloaded. */
const goEnv = { ...process.env, GOPROXY: 'off', GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod' }

const itWithGo = itIf(hasGo(), 'the Go client', 'It needs Go 1.23 or newer.')

function hasGo(): boolean {
  const { status, stdout } = spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8', env: goEnv })
  if (status !== 0) return false
  const [, major, minor] = /^go(\d+)\.(\d+)/.exec(stdout) ?? []
  return Number(major) > 1 || (major === '1' && Number(minor) >= 23)
}

/** Does not block, because the service runs in this process. */
const runFile = promisify(execFile)
const runGo = (folder: string, ...args: string[]) => runFile('go', args, { cwd: folder, env: goEnv })

let folder: string
let db: TestDatabase
let service: Service
/** Keeps one URL while the service restarts on another port. */
let relay: Relay
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link-service-go-'))
  db = await createDatabase()
  service = await startOnDatabase()
  relay = await startRelay(() => service.origin)
})
afterAll(async () => {
  await relay.stop()
  await service.stop()
  await db.drop()
  await rm(folder, { recursive: true, force: true })
})

function startOnDatabase(): Promise<Service> {
  const env = { ROLE: 'all', WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' }
  return startService({ db, env })
}

/** Records requests by the operation at the start of their path, and responds with an empty page. */
async function startRecorder() {
  const requests: Record<string, unknown>[] = []
  const receiver = await startReceiver(({ path, headers, body }, response) => {
    const url = new URL(path, 'http://recorder')
    const [, id = '', ...rest] = url.pathname.split('/')
    const isJson = headers['content-type'] === 'application/json'
    requests.push({
      id,
      method: response.req.method,
      path: `/${rest.join('/')}`,
      query: Object.fromEntries(url.searchParams),
      token: headers.authorization ?? null,
      body: body === '' ? null : isJson ? JSON.parse(body) : body,
    })
    // The live stream starts after the newest click.
    const isFeed = url.searchParams.get('after') === 'latest'
    response.writeHead(isFeed ? 200 : 404).end('{"data":[],"has_more":false,"next_cursor":"c"}')
  })
  return { requests, origin: receiver.origin, stop: () => receiver.stop() }
}

const standardPackages = ['context', 'errors', 'fmt', 'io', 'net/http', 'os', 'strings', 'time']

/** Writes a program in a module that uses the client. */
async function createModule(name: string, packageName: string, code: string): Promise<string> {
  const module = join(folder, name)
  const used = standardPackages.filter((path) => new RegExp(`\\b${path.split('/').at(-1)}\\.`).test(code))
  const imports = [...used.map((path) => `\t"${path}"\n`), '\n\t"link-service.example/linkservice"\n'].join(
    '',
  )
  await mkdir(module)
  await writeFile(join(module, 'main.go'), `package ${packageName}\n\nimport (\n${imports})\n\n${code}`)
  await runGo(module, 'mod', 'init', name)
  const path = 'link-service.example/linkservice'
  await runGo(module, 'mod', 'edit', `-require=${path}@v0.0.0`, `-replace=${path}=${client}`)
  return module
}

async function build(module: string): Promise<string> {
  const program = join(module, 'program')
  await runGo(module, 'build', '-o', program, '.')
  return program
}

/** Returns a program that runs statements of the README. */
async function buildReadme(name: string, snippets: string[]): Promise<string> {
  const statements = snippets.join('\n')
  const end = snippets.at(-1)!.includes('\nreturn ') ? '' : 'return nil\n'
  const code = `func run(ctx context.Context) error {\n${statements}${end}}\n
func main() {\n\tif err := run(context.Background()); err != nil {\n\t\tfmt.Println(err)\n\t\tos.Exit(1)\n\t}\n}\n`
  return build(await createModule(name, 'main', code))
}

async function readmeSnippets(): Promise<string[]> {
  const page = await readFile(join(client, 'README.md'), 'utf8')
  const snippets = [...page.matchAll(/^```go\n([\s\S]*?)^```$/gm)].map(([, snippet]) => snippet!)
  // createModule adds the imports.
  return snippets.map((snippet) => snippet.replace('import "link-service.example/linkservice"\n\n', ''))
}

/** The explanation in the README is about this webhook. */
async function createUnsubscribedWebhook(): Promise<void> {
  const body = { url: 'http://127.0.0.1:8000/', events: ['link.deleted'] }
  expect(await service.call('POST', '/v1/webhooks', { body })).toMatchObject({ status: 201 })
}

/** The analytics in the README count its click. */
async function createClickedLink(): Promise<void> {
  const { body: link } = await service.call('POST', '/v1/links', { body: { url: 'https://example.com/' } })
  await visit(link.slug)
  await waitFor(
    'the counted click',
    async () => (await service.call('GET', `/v1/links/${link.id}`)).body.clicks.total === 1,
  )
}

function visit(slug: string): Promise<Response> {
  return fetch(`${service.origin}/${slug}`, { redirect: 'manual' })
}

describe('the Go client', () => {
  itWithGo(
    'is formatted, passes go vet and its tests, and has no dependencies',
    async () => {
      expect((await runFile('gofmt', ['-l', client])).stdout).toBe('')
      await runGo(client, 'vet', './...')
      // Most cases wait for a retry.
      await runGo(client, 'test', '-parallel=50', './...')
      expect((await runGo(client, 'list', '-m', 'all')).stdout).toBe('link-service.example/linkservice\n')
    },
    timeoutMs,
  )

  itWithGo(
    'runs the calls in its README',
    async () => {
      const snippets = await readmeSnippets()
      const program = await buildReadme(
        'calls',
        snippets.filter((snippet) => !snippet.includes('http.')),
      )
      await createUnsubscribedWebhook()
      await createClickedLink()
      const env = { LINK_SERVICE_URL: `${relay.origin}/api`, LINK_SERVICE_TOKEN: service.token }
      const { stdout } = await runFile(program, { env })
      for (const line of [
        /^http.*\/\w{7}$/m,
        /^\w{7} 0$/m,
        /^2 false$/m,
        /^created 2$/m,
        /"tags":\["mail","sale"\]/,
        /^That slug is taken\.$/m,
        /^link\.updated evt_/m,
        /^The webhook subscribes to link\.deleted, but not to (?:link|import)\./m,
        /^unknown 1$/m,
      ])
        expect(stdout).toMatch(line)
    },
    timeoutMs,
  )

  itWithGo(
    'handles signed deliveries with the receiver in its README',
    async () => {
      const snippets = await readmeSnippets()
      const program = await buildReadme(
        'receiver',
        snippets.filter((snippet) => snippet.includes('http.')),
      )
      const port = String(await freePort())
      const origin = `http://127.0.0.1:${port}`
      const receiver = await startServer([program], { PORT: port, WEBHOOK_SECRET: secret }, origin)
      const event = exampleEvent('link.created')
      const body = JSON.stringify(event)
      const send = async (by: string) => {
        const headers = createSignedHeaders(
          { id: event.id, body, attempt: 1, sequence: 1 },
          [getSigningKey(by)],
          new Date(),
        )
        return (await fetch(`${origin}/hooks`, { method: 'POST', headers, body })).status
      }
      expect(await send('another')).toBe(400)
      expect(await send(secret)).toBe(204)
      expect(await send(secret)).toBe(204)
      const line = `created ${event.data.link.slug}\n`
      await waitFor('two printed links', () => receiver.output().length >= 2 * line.length)
      expect(receiver.output()).toBe(line.repeat(2))
      await receiver.stop()
    },
    timeoutMs,
  )

  itWithGo(
    'follows clicks while the service restarts',
    async () => {
      const program = join(folder, 'example')
      await runGo(client, 'build', '-o', program, './example')
      const env = { LINK_SERVICE_URL: `${relay.origin}/api`, LINK_SERVICE_TOKEN: service.token }
      const child = spawn(program, { env })
      let output = ''
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
      child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
      const ended = once(child, 'exit')
      await waitFor('the short URL', () => /^Open .+\n/m.test(output))
      const [, slug = ''] = /^listed (\w+)\n/m.exec(output) ?? []
      await waitFor('the verified delivery', () => output.includes(`verified ${slug}\n`))
      await visit(slug)
      await waitFor('the first click', () => output.includes(`click ${slug}\n`))
      await service.stop()
      service = await startOnDatabase()
      await visit(slug)
      expect(await ended).toEqual([0, null])
      expect(output.match(/^click .*$/gm)).toEqual([`click ${slug}`, `click ${slug}`])
      const { body: webhooks } = await service.call('GET', '/v1/webhooks')
      expect(webhooks.data.filter(({ url }: { url: string }) => url.endsWith('/hook'))).toEqual([])
    },
    timeoutMs,
  )

  itWithGo(
    'sends the documented request with the code sample of each operation',
    async () => {
      const document = JSON.parse(await readFile('openapi.json', 'utf8'))
      const operations = Object.entries<any>(document.paths).flatMap(([path, item]) =>
        Object.entries<any>(item).map(([method, operation]) => ({ path, method, operation })),
      )
      const recorder = await startRecorder()
      const functions = operations.map(({ operation: { operationId: id, 'x-codeSamples': samples } }) => {
        const { source } = samples.find(({ lang }: { lang: string }) => lang === 'Go')
        const end = source.endsWith('return err') ? '' : '\treturn nil\n'
        const body = `${source.replaceAll(/^(?=.)/gm, '\t')}\n${end}`
        return `func ${id}(ctx context.Context, client *linkservice.Client) error {\n${body}}\n`.replaceAll(
          'http://localhost:3000',
          `${recorder.origin}/${id}`,
        )
      })
      const calls = operations.map(
        ({ operation: { operationId: id, security } }) =>
          `\t${id}(ctx, linkservice.New("${recorder.origin}/${id}/api", "${security.length > 0 ? 'TOKEN' : ''}"))\n`,
      )
      const main = `func main() {\n\tctx := context.Background()\n${calls.join('')}}\n`
      const module = await createModule('samples', 'main', [main, ...functions].join('\n'))
      expect((await runFile('gofmt', ['-d', module])).stdout).toBe('')
      await runGo(module, 'vet', '.')
      await runFile(await build(module))
      await recorder.stop()

      for (const { path, method, operation } of operations) {
        const request = createSampleRequest(document, { path, method }, operation)
        const { pathname } = new URL(request.url)
        const query = Object.entries(request.query).map(([name, value]) => [name, String(value)])
        expect(recorder.requests.findLast(({ id }) => id === request.operationId)).toEqual({
          id: request.operationId,
          method: request.method,
          path: pathname,
          query: Object.fromEntries(query),
          token: request.needsToken ? 'Bearer TOKEN' : null,
          body: request.file?.text ?? request.body,
        })
      }
    },
    timeoutMs,
  )
})
