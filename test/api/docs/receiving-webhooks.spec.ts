/** The example request in the guides for webhook receivers is correct, and the JavaScript runs. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import pg from 'pg'

import { createSignedHeaders, getSigningKey } from '../../../src/webhooks/signing.js'
import { exampleEvent } from '../../../src/events/payloads.js'
import { waitForCompleteFeed } from '../../support/factories/events.js'
import { makeLink } from '../../support/factories/links.js'
import { createDatabase } from '../../support/database.js'
import { freePort } from '../../support/free-port.js'
import { shareService } from '../../support/shared-service.js'
import { waitFor } from '../../support/wait-for.js'

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
const event = exampleEvent('link.created')
const body = JSON.stringify(event)
const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000)
const signed = (by = secret, at = new Date(), sequence = 1) =>
  createSignedHeaders({ id: event.id, body, attempt: 1, sequence }, by.split(' ').map(getSigningKey), at)

const guides = ['receiving-webhooks', 'webhook-signatures', 'webhook-order', 'missed-events']

/** The text of all guides. */
let text: string
let folder: string
/** The file of each snippet, in the order of the guides. */
const files: string[] = []
/** The files that a test has run. */
const ran = new Set<string>()

beforeAll(async () => {
  text = (await Promise.all(guides.map((name) => readFile(`docs/${name}.md`, 'utf8')))).join('\n')
  folder = await mkdtemp(join(tmpdir(), 'link-service-docs-'))
  await symlink(resolve('node_modules'), join(folder, 'node_modules'))
  for (const [, snippet] of text.matchAll(/^```js\n([\s\S]*?)^```$/gm)) {
    const file = join(folder, `${files.length}.mjs`)
    await writeFile(file, snippet!)
    files.push(file)
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function fileWith(part: string): Promise<string> {
  for (const file of files)
    if ((await readFile(file, 'utf8')).includes(part)) {
      ran.add(file)
      return file
    }
  throw new Error(`No snippet contains ${part}.`)
}

/** Returns the exports of the snippet with this declaration. */
async function snippet(name: string): Promise<any> {
  const file = await fileWith(`export ${name}`)
  return import(pathToFileURL(file).href)
}

describe('the example request', () => {
  it('is what the service sends', () => {
    const [, head = '', sent] = /```http\nPOST .*\n([\s\S]*?)\n\n(.*)\n```/.exec(text)!
    const headers = Object.fromEntries(head.split('\n').map((line) => line.split(/: (.*)/).slice(0, 2)))
    const { Host, 'Content-Type': type, 'User-Agent': agent, ...rest } = headers
    const [, exampleSecret] = /signed with the secret `(\S+)`/.exec(text)!
    const expected = createSignedHeaders(
      { id: event.id, body, attempt: 1, sequence: 42 },
      [getSigningKey(exampleSecret!)],
      new Date(event.timestamp),
    )
    expect(sent).toBe(body)
    expect(Host).toBeDefined()
    expect({ 'content-type': type, 'user-agent': agent, ...rest }).toEqual(expected)
  })
})

describe('the receiver', () => {
  let receiver: ChildProcess
  let origin: string
  let out = ''
  beforeAll(async () => {
    const port = await freePort()
    origin = `http://127.0.0.1:${port}/`
    receiver = spawn(process.execPath, [await fileWith('createServer')], {
      env: { ...process.env, NODE_OPTIONS: '', PORT: String(port), WEBHOOK_SECRET: secret },
    })
    receiver.stdout!.on('data', (chunk: Buffer) => (out += chunk.toString()))
    await waitFor('the receiver', () =>
      fetch(origin).then(
        () => true,
        () => false,
      ),
    )
  })
  afterAll(() => receiver.kill())

  const send = async (headers: Record<string, string>, sent = body) =>
    (await fetch(origin, { method: 'POST', headers, body: sent })).status

  it('accepts requests with one or several signatures, and prints the event once', async () => {
    expect(await send(signed())).toBe(204)
    expect(await send(signed(`whsec_bmV3 ${secret}`))).toBe(204)
    await waitFor('the printed event', () => out.includes('\n'))
    expect(out).toBe(`link.created ${event.id}\n`)
  })

  it('rejects forged, late and unsigned requests', async () => {
    expect(await send(signed(), body.replace('spring', 'summer'))).toBe(400)
    expect(await send(signed('whsec_b3RoZXI='))).toBe(400)
    expect(await send(signed(secret, secondsAgo(600)))).toBe(400)
    expect(await send({})).toBe(400)
  })
})

it('verifies signatures without a library', async () => {
  const { isGenuine } = await snippet('function isGenuine')
  expect(isGenuine(secret, signed(), body)).toBe(true)
  expect(isGenuine(secret, signed(`whsec_bmV3 ${secret}`), body)).toBe(true)
  expect(isGenuine(secret, signed(), `${body} `)).toBe(false)
  expect(isGenuine(secret, signed('whsec_b3RoZXI='), body)).toBe(false)
  expect(isGenuine(secret, signed(secret, secondsAgo(600)), body)).toBe(false)
  expect(isGenuine(secret, { ...signed(), 'webhook-signature': 'v1' }, body)).toBe(false)
  expect(isGenuine(secret, { ...signed(), 'webhook-timestamp': 'now' }, body)).toBe(false)
  expect(isGenuine(secret, {}, body)).toBe(false)
})

it.each(['plain words', 'Schlüssel ☃', 'YWJj'])('verifies signatures with the secret %j', async (own) => {
  const { verifierFor } = await snippet('function verifierFor')
  const headers = createSignedHeaders(
    { id: event.id, body, attempt: 1, sequence: 1 },
    [getSigningKey(own)],
    new Date(),
  )
  expect(verifierFor(own).verify(body, headers)).toEqual(event)
  expect(() => verifierFor(`${own}x`).verify(body, headers)).toThrow()
})

it('handles each event once, even after a failure or if two requests arrive concurrently', async () => {
  const { once } = await snippet('async function once')
  const database = await createDatabase()
  await database.query(/```sql\n([\s\S]*?)```/.exec(text)![1]!)
  const clients = [new pg.Client(database.url), new pg.Client(database.url)]
  for (const client of clients) await client.connect()
  const [one, two] = clients
  let handled = 0
  const handle = () => Promise.resolve(handled++)
  const failing = () => Promise.reject(new Error('not now'))
  await expect(once(one, event, failing)).rejects.toThrow('not now')
  const both = await Promise.all([once(one, event, handle), once(two, event, handle)])
  expect([both.filter(Boolean).length, await once(one, event, handle), handled]).toEqual([1, false, 1])
  for (const client of clients) await client.end()
  await database.drop()
})

it('finds missing sequence numbers', async () => {
  const { Sequence } = await snippet('class Sequence')
  const sequence = new Sequence()
  const note = (number: number) => sequence.note(signed(secret, new Date(), number))
  expect(note(1)).toEqual([])
  expect(note(4)).toEqual([2, 3])
  expect(note(3)).toEqual([2])
  expect(note(3)).toEqual([2])
  expect(sequence.note({})).toEqual([])
  expect(note(2)).toEqual([])
})

it('catches up from the feed', async () => {
  const { catchUp } = await snippet('async function catchUp')
  const service = await shareService()
  for (let i = 0; i < 105; i++) await makeLink(service)
  const ids: string[] = []
  const handle = ({ id }: { id: string }) => Promise.resolve(ids.push(id))
  await waitForCompleteFeed(service)
  const cursor = await catchUp(`${service.origin}/api`, service.token, '', handle)
  expect(new Set(ids).size).toBe(105)
  await makeLink(service)
  await waitForCompleteFeed(service)
  await catchUp(`${service.origin}/api`, service.token, cursor, handle)
  expect(new Set(ids).size).toBe(106)
  expect(ids).toHaveLength(106)
  await expect(catchUp(`${service.origin}/api`, 'lsk_wrong', '', handle)).rejects.toThrow('401')
  await service.stop()
})

it('runs every snippet', () => {
  expect([...ran].sort()).toEqual([...files].sort())
})
