/** Runs the receivers in docs/receivers, as the guide describes, against deliveries of the service. */
import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { decodeId } from '../../../src/platform/database/ids.js'
import { createSignedHeaders, getSigningKey } from '../../../src/webhooks/signing.js'
import { makeLink } from '../../support/factories/links.js'
import { freePort } from '../../support/free-port.js'
import { spawnService } from '../../support/process.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

const getSourceFile = (name: string) => resolve(`docs/receivers/receiver.${name}`)
const folder = mkdtempSync(join(tmpdir(), 'link-service-receivers-'))
const program = join(folder, 'receiver')

interface Language {
  ending: string
  /** Succeeds when the language is installed. */
  probe: [command: string, ...args: string[]]
  compile?: [command: string, ...args: string[]]
  run: [command: string, ...args: string[]]
}

const languages: Record<string, Language> = {
  JavaScript: { ending: 'js', probe: ['node', '--version'], run: [process.execPath, getSourceFile('js')] },
  Python: { ending: 'py', probe: ['python3', '--version'], run: ['python3', getSourceFile('py')] },
  Go: {
    ending: 'go',
    probe: ['go', 'version'],
    compile: ['go', 'build', '-o', `${program}-go`, getSourceFile('go')],
    run: [`${program}-go`],
  },
  Java: { ending: 'java', probe: ['javac', '-version'], run: ['java', getSourceFile('java')] },
  Rust: {
    ending: 'rs',
    probe: ['rustc', '--version'],
    compile: ['rustc', '--edition', '2021', '-o', `${program}-rs`, getSourceFile('rs')],
    run: [`${program}-rs`],
  },
}

const timeoutMs = 120_000

let service: Service
beforeAll(async () => {
  const env = { ROLE: 'all', WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' }
  service = await startService({ env })
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

class Running {
  private output = ''
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream!.on('data', (chunk: Buffer) => (this.output += chunk.toString()))
  }

  static async start({ compile, run: [command, ...args] }: Language, secret: string): Promise<Running> {
    if (compile) {
      const [compiler, ...args] = compile
      const { status, stderr } = spawnSync(compiler, args, { encoding: 'utf8' })
      if (status !== 0) throw new Error(`The receiver does not compile: ${stderr}`)
    }
    const port = await freePort()
    const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) }
    const running = new Running(spawn(command, args, { env }), `http://127.0.0.1:${port}/hooks`)
    await waitFor('the receiver', () => /^ready$/m.test(running.output), timeoutMs)
    return running
  }

  countReceived(eventId: string): number {
    return this.output.split('\n').filter((line) => line === `received ${eventId}`).length
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return
    this.child.kill('SIGKILL')
    await once(this.child, 'exit')
  }
}

const isInstalled = (command: string, ...args: string[]) => spawnSync(command, args).status === 0

describe.each(Object.entries(languages))('the receiver in %s', (name, language) => {
  const canRun = isInstalled(...language.probe)
  if (!canRun)
    process.stderr.write(`Skipped: the receiver in ${name}. ${language.probe[0]} is not installed.\n`)
  const test = canRun ? it : it.skip

  test.each([
    ['a generated secret', `whsec_${Buffer.alloc(32, 7).toString('base64')}`],
    ["the user's own secret", 'pässwörd of my own'],
  ])(
    'handles a genuine delivery once, and rejects forged and late requests, with %s',
    async (_, secret) => {
      const running = await Running.start(language, secret)
      try {
        const { body: hook } = await service.call('POST', '/v1/webhooks', {
          body: { url: running.url, events: ['link.created'], secret },
        })
        const deliveries = `/v1/webhooks/${hook.id}/deliveries`
        /** Returns the delivery after the given number of attempts. */
        const delivered = (count: number) =>
          waitFor(`attempt ${count}`, async () => {
            const { body } = await service.call('GET', deliveries)
            const [first] = body.data
            return first?.attempt_count === count && first.completed_at !== null ? first : null
          })

        await makeLink(service, { title: 'Fünf € für Ümläute' })
        const { id, event_id, last_attempt } = await delivered(1)
        expect([last_attempt.error, last_attempt.status_code]).toEqual([null, 204])
        await waitFor('the receiver to handle the delivery', () => running.countReceived(event_id) === 1)

        // The redelivery is signed with two secrets. The receiver accepts it and does not handle it again.
        await service.call('POST', `/v1/webhooks/${hook.id}/secret/rotate`)
        await service.call('POST', `${deliveries}/${id}/redeliver`)
        const repeated = (await delivered(2)).last_attempt
        expect(repeated.status_code).toBe(204)
        expect(repeated.request_headers['webhook-signature'].split(' ')).toHaveLength(2)

        const [row] = await service.db.query<{ body: string }>('SELECT body FROM events WHERE id = $1', [
          decodeId('evt', event_id),
        ])
        const post = async (headers: Record<string, string>, body: string) =>
          (await fetch(running.url, { method: 'POST', headers, body })).status
        const sent = last_attempt.request_headers as Record<string, string>
        const body = row!.body
        expect(await post(sent, body)).toBe(204)

        const forgedId = event_id.replace(/.$/, event_id.endsWith('0') ? '1' : '0')
        const at = (seconds: number) => new Date(Date.now() + seconds * 1000)
        const signed = (when: Date, by = secret) =>
          createSignedHeaders({ id: forgedId, body, attempt: 1, sequence: 1 }, [getSigningKey(by)], when)
        const refused: Record<string, [Record<string, string>, string]> = {
          'another body': [sent, body.replace('Fünf', 'Acht')],
          'another id': [{ ...sent, 'webhook-id': forgedId }, body],
          'another time': [{ ...sent, 'webhook-timestamp': String(Math.floor(Date.now() / 1000) + 1) }, body],
          'another secret': [signed(at(0), 'not the secret'), body],
          'no signature': [{ ...sent, 'webhook-signature': '' }, body],
          'odd signatures': [{ ...sent, 'webhook-signature': 'v1, v1,= v2,x , v1,AAAA' }, body],
          'no time': [{ ...sent, 'webhook-timestamp': 'now' }, body],
          'ten minutes late': [signed(at(-600)), body],
          'ten minutes early': [signed(at(600)), body],
        }
        for (const [name, [headers, text]] of Object.entries(refused)) {
          const status = await post(headers, text)
          expect([name, status >= 400 && status < 500]).toEqual([name, true])
        }
        expect(running.countReceived(forgedId)).toBe(0)
        expect(await post(signed(at(0)), body)).toBe(204)
        await waitFor(
          'the receiver to handle the genuine request',
          () => running.countReceived(forgedId) === 1,
        )
        expect(running.countReceived(event_id)).toBe(1)

        const checked = spawnService(['webhooks', 'check', running.url, '--secret', secret], {})
        expect([await checked.gone, checked.output()]).toEqual([
          0,
          expect.stringContaining('18 of 18 checks passed.'),
        ])
      } finally {
        await running.stop()
      }
    },
    2 * timeoutMs,
  )
})
