/** The Python client: the built wheel runs the shared vectors, its README, a program and the code samples. */
import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { exampleEvent } from '../../../src/events/payloads.js'
import { createSignedHeaders, getSigningKey } from '../../../src/webhooks/signing.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { makeLink, visit } from '../../support/factories/links.js'
import { freePort } from '../../support/free-port.js'
import { cacheFolder } from '../../support/generators.js'
import { itIf } from '../../support/program.js'
import { startRelay } from '../../support/relay.js'
import type { Relay } from '../../support/relay.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

const runFile = promisify(execFile)
const programs = resolve('test/system/clients/python')
/** Where install.sh installs the packages. */
const installed = process.env['PYTHON_CLIENT_FOLDER'] ?? join(cacheFolder, 'python-client')
const isInstalled = existsSync(join(installed, 'installed'))
const itInstalled = itIf(isInstalled, 'the Python client', 'Run: bash test/system/clients/python/install.sh')
const python = join(installed, 'venv/bin/python')
const env = { ROLE: 'all', WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' }
const timeoutMs = 120_000

let folder: string
let db: TestDatabase
let service: Service
let relay: Relay
let readme: string[]
const started: ChildProcess[] = []
beforeAll(async () => {
  if (!isInstalled) return
  folder = await mkdtemp(join(tmpdir(), 'link-service-python-'))
  await mkdir(join(folder, 'work'))
  const [page] = await Promise.all([readFile('clients/python/README.md', 'utf8'), installWheel()])
  readme = [...page.matchAll(/^```python\n([\s\S]*?)^```$/gm)].map(([, snippet]) => snippet!)
  db = await createDatabase()
  service = await startService({ db, env })
  relay = await startRelay(() => service.origin)
}, timeoutMs)
afterAll(async () => {
  if (!isInstalled) return
  for (const child of started) child.kill('SIGKILL')
  await relay.stop()
  await service.stop()
  await db.drop()
  await rm(folder, { recursive: true, force: true })
})

async function installWheel(): Promise<void> {
  const offline = ['--quiet', '--disable-pip-version-check', '--no-deps', '--no-index']
  const pip = (...args: string[]) => runFile(python, ['-m', 'pip', ...args, ...offline])
  await pip('wheel', resolve('clients/python'), '--no-build-isolation', '--wheel-dir', folder)
  const { version } = JSON.parse(await readFile('package.json', 'utf8'))
  const wheel = join(folder, `link_service_client-${version}-py3-none-any.whl`)
  await pip('install', wheel, '--target', join(folder, 'site'))
}

/** Runs a program with the installed wheel, in a folder for its files. */
function start(args: readonly string[], more: Record<string, string> = {}) {
  const child = spawn(python, args, {
    cwd: join(folder, 'work'),
    env: {
      ...process.env,
      PYTHONPATH: join(folder, 'site'),
      LINK_SERVICE_URL: `${relay.origin}/api`,
      LINK_SERVICE_TOKEN: service.token,
      ...more,
    },
  })
  started.push(child)
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const ended = new Promise<number | null>((done) => child.on('close', done))
  return { child, ended, out: () => out, err: () => err }
}

async function run(args: readonly string[], input = ''): Promise<string> {
  const program = start(args)
  program.child.stdin.end(input)
  const code = await program.ended
  expect({ code, out: code === 0 ? '' : program.out(), err: program.err() }).toEqual({
    code: 0,
    out: '',
    err: '',
  })
  return program.out()
}

itInstalled(
  'passes the conformance vectors, sync and async',
  async () => {
    const out = await run([join(programs, 'conformance.py'), resolve('clients/conformance')])
    const lines = out.trimEnd().split('\n')
    expect(lines.filter((line) => line.includes('\t'))).toEqual([])
    expect(lines.length).toBeGreaterThan(240)
  },
  timeoutMs,
)

itInstalled(
  'runs the calls in its README',
  async () => {
    const calls = readme.filter((snippet) => !snippet.includes('HTTPServer'))
    const out = await run(['-c', calls.join('\n')])
    for (const line of [
      /^http.*\/\w{7}$/m,
      /^\w{7} 0$/m,
      /^That slug is taken\. \(conflict\)$/m,
      /^link\.updated evt_/m,
    ])
      expect(out).toMatch(line)
  },
  timeoutMs,
)

itInstalled(
  'uploads and downloads files, and follows live clicks, sync and async',
  async () => {
    const { id, slug } = await makeLink(service, { tags: ['live'] })
    await visit(service, slug)
    // Directly, because the relay forwards a response when it has ended.
    const program = start([join(programs, 'files_and_feeds.py'), id], {
      LINK_SERVICE_URL: `${service.origin}/api`,
    })
    expect({ code: await program.ended, err: program.err() }).toEqual({ code: 0, err: '' })
  },
  timeoutMs,
)

itInstalled(
  'finds missing deliveries, and reports only noted numbers as repeated',
  async () => {
    expect(await run([join(programs, 'sequence_gaps.py')])).toBe('')
  },
  timeoutMs,
)

itInstalled(
  'handles signed deliveries with the receiver in its README, and rejects a wrong signature',
  async () => {
    const port = String(await freePort())
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const receiver = readme.find((snippet) => snippet.includes('HTTPServer'))!
    const program = start(['-c', `import os\n${receiver}`], { PORT: port, WEBHOOK_SECRET: secret })
    const event = exampleEvent('link.created')
    const body = JSON.stringify(event)
    const send = (by: string) =>
      fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        body,
        headers: createSignedHeaders(
          { id: event.id, body, attempt: 1, sequence: 1 },
          [getSigningKey(by)],
          new Date(),
        ),
      }).then(({ status }) => status)
    await waitFor('the receiver', () => send('another').catch(() => null))
    expect(await send('another')).toBe(400)
    expect(await send(secret)).toBe(204)
    // Handled again, because a retry of a failed delivery has the same number.
    expect(await send(secret)).toBe(204)
    const printed = `created ${event.data.link.slug}\n`.repeat(2)
    await waitFor('both printed links', () => program.out() === printed)
  },
  timeoutMs,
)

itInstalled(
  'needs fewer than 40 lines for a token, a verified delivery and clicks across a restart',
  async () => {
    const file = join(programs, 'program.py')
    expect((await readFile(file, 'utf8')).trimEnd().split('\n').length).toBeLessThan(40)
    const program = start([file])
    const printed = (line: string) =>
      waitFor(line, () => {
        if (program.child.exitCode !== null && !program.out().includes(line)) throw new Error(program.err())
        return program.out().includes(line)
      })
    await printed("verified python\nlisted ['python']\n")
    await visit(service, 'python')
    await printed('click 1 python\n')
    await service.stop()
    // The program keeps polling while the service is down.
    await waitFor('a failed poll', () => relay.requests.at(-1)?.path.includes('/v1/clicks?'))
    service = await startService({ db, env })
    await visit(service, 'python')
    await visit(service, 'python')
    expect(await program.ended).toBe(0)
    expect(program.out().match(/^click .*$/gm)).toEqual([
      'click 1 python',
      'click 2 python',
      'click 3 python',
    ])
  },
  timeoutMs,
)

itInstalled(
  'has a code sample for each operation that sends its request and has no type errors',
  async () => {
    const document = JSON.parse(await readFile('openapi.json', 'utf8'))
    const operations = Object.entries<any>(document.paths).flatMap(([path, item]) =>
      Object.entries<any>(item).map(([method, operation]) => ({ path, method, operation })),
    )
    const samples: Record<string, string> = Object.fromEntries(
      operations.map(({ operation }) => [
        operation.operationId,
        operation['x-codeSamples'].find(({ lang }: any) => lang === 'Python').source,
      ]),
    )
    const sent = JSON.parse(await run([join(programs, 'run_samples.py')], JSON.stringify(samples)))
    const isSecret = ({ operation }: (typeof operations)[number]) => operation.security?.length !== 0
    for (const each of operations) {
      const { path, method, operation } = each
      const [sentMethod, url, authorization, body] = sent[operation.operationId]
      const pattern = path.replace(/\{\w+\}/g, '[^/]+')
      expect(`${sentMethod} ${new URL(url).pathname}`).toMatch(
        new RegExp(`^${method.toUpperCase()} (/api)?${pattern}$`),
      )
      expect(authorization !== null).toBe(isSecret(each))
      const minimal = operation.requestBody?.content['application/json']?.examples?.minimal.value
      if (minimal && body) expect(JSON.parse(body)).toEqual(minimal)
    }

    const files = Object.entries(samples).map(([id, source]) => [join(folder, 'work', `${id}.py`), source])
    for (const [file, source] of files) await writeFile(file!, source!)
    const mypy = ['-m', 'mypy', '--strict', '--scripts-are-modules', '--cache-dir', join(installed, 'mypy')]
    const program = join(programs, 'program.py')
    expect(await run([...mypy, program, ...files.map(([file]) => file!)])).toMatch(/^Success: no issues/)
  },
  timeoutMs,
)
