/** Newman runs the whole Postman collection against the service. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { scopes } from '../../../src/auth/scopes.js'
import { generatorsFolder, howToInstall, isInstalled } from '../../support/generators.js'
import { itIf } from '../../support/program.js'
import { startSending } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'

interface Execution {
  item: { name: string }
  response?: { code: number; stream: { data: number[] } }
  assertions?: { assertion: string; error?: { message: string } }[]
}

const newman = join(generatorsFolder, 'newman/node_modules/newman/bin/newman.js')

let sending: Sending
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link-service-postman-'))
  sending = await startSending()
})
afterAll(async () => {
  await sending.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Returns the executed requests and the errors of scripts. Does not block, because the service runs in this process. */
async function runCollection(token: string): Promise<{ executions: Execution[]; failures: unknown[] }> {
  const { service, receiver } = sending
  const collection = join(folder, 'postman.json')
  const report = join(folder, 'report.json')
  await writeFile(collection, (await service.call('GET', '/openapi/postman.json', { token: null })).text)
  const variables = {
    // The document of a test has no port.
    base_url: `${service.origin}/api`,
    public_url: service.origin,
    short_url_base: service.origin,
    token,
    webhook_url: `${receiver.origin}/hooks`,
  }
  const args = [
    ...Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]),
    ...['--reporters', 'json', '--reporter-json-export', report],
    // Failed requests are in the report.
    '--suppress-exit-code',
  ]
  await promisify(execFile)(process.execPath, [newman, 'run', collection, ...args], {
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  return JSON.parse(await readFile(report, 'utf8')).run
}

itIf(
  isInstalled('newman'),
  'the Postman collection',
  howToInstall,
)('every request of the collection succeeds, twice in a row', async () => {
  const { token } = await sending.service.mint(scopes.join(','))
  const { body: document } = await sending.service.call('GET', '/openapi.json', { token: null })
  const titles = Object.values<any>(document.paths)
    .flatMap((item) => Object.values<any>(item))
    .map(({ summary }) => summary)
  for (const run of ['first', 'second']) {
    // A test of notices is possible once every ten seconds.
    await sending.service.db.query('DELETE FROM notice_tests')
    const { executions, failures } = await runCollection(token)
    const errors = executions.flatMap(({ item, response, assertions = [] }) =>
      assertions
        .filter(({ error }) => error)
        .map(() => [run, item.name, response?.code, Buffer.from(response?.stream.data ?? []).toString()]),
    )
    expect(errors).toEqual([])
    expect(failures).toEqual([])
    const executed = new Set(executions.map(({ item }) => item.name))
    // The stream does not end.
    expect(titles.filter((title) => !executed.has(title))).toEqual(['Stream live clicks'])
  }
  // The runs revoke tokens that they created, but not the token that they use.
  const own = await sending.service.call('GET', '/v1/auth/token/self', { token })
  expect(own.status).toBe(200)
  expect(sending.receiver.requestsTo('/hooks').length).toBeGreaterThan(0)
})
