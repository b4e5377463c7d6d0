/** `webhooks check` against receivers with one fault each. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { getSigningKey } from '../../../src/webhooks/signing.js'
import { spawnService } from '../../support/process.js'
import { startReceiver } from '../../support/receiver.js'
import type { Received } from '../../support/receiver.js'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const folder = mkdtempSync(join(tmpdir(), 'link-service-check-'))
const secretFile = join(folder, 'secret.txt')
beforeAll(() => writeFileSync(secretFile, `${secret}\n`))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The parts of a correct receiver, each of which a test replaces. */
const correct = {
  isSigned: (request: Received) => matches(request, request.body, String(request.headers['webhook-id'])),
  isFresh: ({ headers }: Received) =>
    Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp'])) <= 300,
  respond: (_request: Received, response: ServerResponse) => void response.writeHead(204).end(),
  refuse: (response: ServerResponse) => void response.writeHead(401).end(),
}

function matches({ headers }: Received, body: string, id: string): boolean {
  const signature = createHmac('sha256', getSigningKey(secret))
    .update(`${id}.${String(headers['webhook-timestamp'])}.${body}`)
    .digest()
  return String(headers['webhook-signature'])
    .split(' ')
    .map((each) => Buffer.from(each.replace(/^v1,/, ''), 'base64'))
    .some((each) => each.length === signature.length && timingSafeEqual(each, signature))
}

async function check(faults: Partial<typeof correct> = {}) {
  const { isSigned, isFresh, respond, refuse } = { ...correct, ...faults }
  const receiver = await startReceiver((request, response) =>
    isSigned(request) && isFresh(request) ? respond(request, response) : refuse(response),
  )
  try {
    const report = await run(`${receiver.origin}/hooks`, '--secret-file', secretFile, '--json')
    const { passed, checks } = JSON.parse(report.out) as { passed: boolean; checks: Check[] }
    expect(report.code).toBe(passed ? 0 : 1)
    return Object.fromEntries(checks.filter(({ result }) => result !== 'ok').map((each) => [each.name, each]))
  } finally {
    await receiver.stop()
  }
}

interface Check {
  name: string
  result: 'ok' | 'warn' | 'fail'
  response: string
  fix: string | null
}

async function run(...args: string[]) {
  const { gone, output, errors } = spawnService(['webhooks', 'check', ...args], {})
  return { code: await gone, out: output(), err: errors() }
}

const getResults = (checks: Record<string, Check>) =>
  Object.fromEntries(Object.entries(checks).map(([name, { result }]) => [name, result]))

it('finds no fault in a correct receiver', async () => {
  expect(await check()).toEqual({})
})

it.each<[string, Partial<typeof correct>, Record<string, string>]>([
  [
    'verifies no signature',
    { isSigned: () => true },
    {
      'no signature': 'fail',
      'signed with another secret': 'fail',
      'changed body': 'fail',
      'changed webhook-id': 'fail',
    },
  ],
  [
    'reads only the first signature',
    {
      isSigned: (request) => {
        const [first = ''] = String(request.headers['webhook-signature']).split(' ')
        const headers = { ...request.headers, 'webhook-signature': first }
        return correct.isSigned({ ...request, headers })
      },
    },
    { 'two signatures': 'fail' },
  ],
  [
    'ignores the timestamp',
    { isFresh: () => true },
    { 'timestamp 10 minutes old': 'fail', 'timestamp 10 minutes ahead': 'fail' },
  ],
  [
    'rejects unknown event types',
    {
      respond: ({ body }, response) =>
        void response.writeHead(JSON.parse(body).type === 'example.future' ? 422 : 204).end(),
    },
    { 'unknown event type': 'fail' },
  ],
  [
    'cannot read batches',
    { respond: ({ body }, response) => void response.writeHead(JSON.parse(body).data ? 204 : 400).end() },
    { batch: 'warn', 'event repeated in another batch': 'warn', 'large batch (1 MiB)': 'warn' },
  ],
  [
    'rejects large bodies',
    { respond: ({ body }, response) => void response.writeHead(body.length > 100_000 ? 413 : 204).end() },
    { 'large batch (1 MiB)': 'warn' },
  ],
  [
    'responds with 500 to forged requests',
    { refuse: (response) => void response.writeHead(500).end() },
    {
      'no signature': 'warn',
      'signed with another secret': 'warn',
      'changed body': 'warn',
      'changed webhook-id': 'warn',
      'timestamp 10 minutes old': 'warn',
      'timestamp 10 minutes ahead': 'warn',
    },
  ],
])('names the fault of a receiver that %s', async (_, faults, expected) => {
  expect(getResults(await check(faults))).toEqual(expected)
})

it('finds a receiver that rejects repeated and late events', async () => {
  const seen = new Set<unknown>()
  let last = 0
  const checks = await check({
    respond: ({ headers }, response) => {
      const [id, sequence] = [headers['webhook-id'], Number(headers['webhook-sequence'])]
      const isUnexpected = seen.has(id) || sequence < last
      seen.add(id)
      last = Math.max(last, sequence)
      response.writeHead(isUnexpected ? 409 : 204).end()
    },
  })
  expect(checks['repeated event']).toMatchObject({
    result: 'fail',
    response: expect.stringMatching(/^409 in/),
  })
  expect(checks['events out of order']).toMatchObject({ result: 'fail' })
})

it('stops after a rejected valid request, and says what to do', async () => {
  const receiver = await startReceiver()
  await receiver.stop()
  const { code, out } = await run(`${receiver.origin}/hooks`, '--secret', secret)
  expect(code).toBe(1)
  expect(out).toContain('Start the receiver, and check the URL.')
  expect(out).toContain('17 were not run')
})

it.each([
  [['http://192.0.2.1/hooks', '--secret', secret], 'is not an address of this machine'],
  [['http://127.0.0.1/hooks'], 'Use --secret-file'],
  [['http://127.0.0.1/hooks', '--secret', 'whsec_???'], 'must continue with base64'],
  [['127.0.0.1/hooks', '--secret', secret], 'takes a complete URL'],
])('rejects %j as a usage error', async (args, message) => {
  const { code, err } = await run(...args)
  expect([code, err]).toEqual([2, expect.stringContaining(message)])
})
