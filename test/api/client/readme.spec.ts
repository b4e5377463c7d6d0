/** Runs the code in clients/typescript/README.md. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { exampleEvent } from '../../../src/events/payloads.js'
import { createSignedHeaders, getSigningKey } from '../../../src/webhooks/signing.js'
import { freePort } from '../../support/free-port.js'
import { shareService } from '../../support/shared-service.js'
import { waitFor } from '../../support/wait-for.js'

let folder: string
let snippets: string[]
let started: { child: ChildProcess; ended: Promise<number | null> }[] = []
beforeAll(async () => {
  const page = await readFile('clients/typescript/README.md', 'utf8')
  snippets = [...page.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, snippet]) => snippet!)
  folder = await mkdtemp(join(tmpdir(), 'link-service-client-readme-'))
  await mkdir(join(folder, 'node_modules/@link-service'), { recursive: true })
  await symlink(resolve('clients/typescript'), join(folder, 'node_modules/@link-service/client'))
})
afterEach(async () => {
  for (const { child, ended } of started) {
    child.kill('SIGKILL')
    await ended
  }
  started = []
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function run(program: string, env: Record<string, string>) {
  const file = join(folder, `${Object.keys(env).join('-')}.mjs`)
  await writeFile(file, program)
  const child = spawn(process.execPath, [file], { env: { ...process.env, NODE_OPTIONS: '', ...env } })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const ended = new Promise<number | null>((done) => child.on('close', done))
  started.push({ child, ended })
  return { ended, out: () => out, err: () => err }
}

it('runs all calls in order', async () => {
  const service = await shareService()
  const calls = snippets.filter((snippet) => !snippet.includes('createServer'))
  const program = await run(calls.join('\n'), {
    LINK_SERVICE_URL: `${service.origin}/api`,
    LINK_SERVICE_TOKEN: service.token,
  })
  expect({ code: await program.ended, err: program.err() }).toEqual({ code: 0, err: '' })
  for (const line of [/^http.*\/\w{7}$/m, /^\w{7} 0$/m, /^That slug is taken\.$/m, /^link\.created evt_/m])
    expect(program.out()).toMatch(line)
  await service.stop()
})

it('handles signed deliveries, and rejects a wrong signature', async () => {
  const port = await freePort()
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const receiver = snippets.find((snippet) => snippet.includes('createServer'))!
  const program = await run(receiver, { PORT: String(port), WEBHOOK_SECRET: secret })
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
  await waitFor('the printed link', () => program.out().includes('\n'))
  expect(program.out()).toBe(`created ${event.data.link.slug}\n`)
})
