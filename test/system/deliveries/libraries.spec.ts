/** The libraries of Standard Webhooks verify a request with one event and a batch, and reject a changed body. */
import { execFile, spawnSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { itIf } from '../../support/program.js'
import type { Received } from '../../support/receiver.js'
import { createHook, recordExamples, startSending } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'
import { waitFor } from '../../support/wait-for.js'

const python = process.env['SAMPLES_PYTHON'] ?? 'python3'

interface Library {
  /** Fetches the library and compiles the program, in a copy of its folder. */
  build: string
  /** Takes the file of the body, the ID, the timestamp and the signatures. */
  program: string[]
}

/** By the folder of the program. */
const libraries: Record<string, Library> = {
  python: { build: `"${python}" -c "import standardwebhooks"`, program: [python, 'verify.py'] },
  go: { build: 'go build -o verify .', program: ['./verify'] },
  java: {
    build: 'mvn --batch-mode --quiet dependency:copy-dependencies -DoutputDirectory=libraries',
    program: ['java', '-cp', 'libraries/*', 'Verify.java'],
  },
  rust: { build: 'cargo build --quiet --locked', program: ['target/debug/verify'] },
}

const folder = mkdtempSync(join(tmpdir(), 'link-service-libraries-'))
let sending: Sending
let secret: string
let single: Received
let batch: Received
beforeAll(async () => {
  sending = await startSending()
  ;[secret, single] = await receive({})
  let batchSecret: string
  ;[batchSecret, batch] = await receive({ batch: { max: 10, within: '1s' }, secret })
  expect(batchSecret).toBe(secret)
  expect(JSON.parse(batch.body).events).toHaveLength(2)
}, 60_000)
afterAll(async () => {
  await sending.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Returns the secret of a new webhook and the first request to it. */
async function receive(fields: object): Promise<[string, Received]> {
  const hook = await createHook(sending, { events: ['link.created', 'link.deleted'], ...fields })
  await recordExamples(sending, ['link.created', 'link.deleted'])
  return [hook.secret, await waitFor('a request', () => sending.receiver.requestsTo(hook.path)[0])]
}

async function accepts({ program }: Library, cwd: string, { body, headers }: Received): Promise<boolean> {
  await writeFile(join(cwd, 'body.json'), body)
  const [command, ...args] = program
  const signed = ['id', 'timestamp', 'signature'].map((name) => String(headers[`webhook-${name}`]))
  return promisify(execFile)(command!, [...args, 'body.json', ...signed], {
    cwd,
    env: { ...process.env, WEBHOOK_SECRET: secret },
  }).then(
    () => true,
    () => false,
  )
}

describe.each(Object.entries(libraries))('the library for %s', (name, library) => {
  const cwd = join(folder, name)
  const isBuilt = build()

  function build(): boolean {
    cpSync(resolve('test/system/deliveries/libraries', name), cwd, { recursive: true })
    return spawnSync('sh', ['-c', library.build], { cwd, timeout: 120_000 }).status === 0
  }

  itIf(isBuilt, `the library for ${name}`, `This failed: ${library.build}`)(
    'verifies one event and a batch, and rejects a changed body',
    async () => {
      expect(await accepts(library, cwd, single)).toBe(true)
      expect(await accepts(library, cwd, batch)).toBe(true)
      expect(await accepts(library, cwd, { ...batch, body: `${batch.body} ` })).toBe(false)
    },
    60_000,
  )
})
