import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'

import { TransferApi } from './transfer-api.js'

const pieceBytes = 64 * 1024
const text = `url\n${'https://example.com/\n'.repeat(10_000)}`

let folder: string
let path: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'transfer '))
  path = join(folder, 'links.csv')
  await writeFile(path, text)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function listening(answer: RequestListener): Promise<Server & AsyncDisposable> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function upload(host: string, server: Server) {
  const counts: number[] = []
  const { port } = server.address() as AddressInfo
  const api = new TransferApi(
    { api: `http://${host}:${port}/api`, token: 'lsk_live_x' },
    new AbortController().signal,
  )
  const answer = await api.upload({
    path,
    query: '',
    idempotencyKey: 'one',
    onSent: (bytes) => counts.push(bytes),
  })
  return { answer, counts }
}

it('sends the whole file also where the connection comes later than its first piece could be read', async () => {
  let received = ''
  await using server = await listening((request, response) => {
    request.setEncoding('utf8').on('data', (piece: string) => (received += piece))
    request.on('end', () => response.writeHead(202).end('{"id":"imp_1"}'))
  })
  const before = getGlobalDispatcher()
  const slowNames = new Agent({
    connect: {
      autoSelectFamily: false,
      lookup: (_name, _options, found) => void pause(200).then(() => found(null, '127.0.0.1', 4)),
    },
  })
  setGlobalDispatcher(slowNames)
  try {
    const { answer, counts } = await upload('slow.invalid', server)
    expect(answer).toEqual({ id: 'imp_1' })
    expect(received === text).toBe(true)
    expect(counts).toHaveLength(Math.ceil(text.length / pieceBytes))
    expect(counts.at(-1)).toBe(text.length)
  } finally {
    setGlobalDispatcher(before)
    await slowNames.close()
  }
})

it('sends it again where the connection breaks, and at last says so in a sentence', async () => {
  let requests = 0
  await using server = await listening((request) => {
    requests++
    request.socket.destroy()
  })
  await expect(upload('127.0.0.1', server)).rejects.toThrow(
    /^http:\/\/127\.0\.0\.1:\d+ did not answer: the connection was closed before the answer\.$/,
  )
  expect(requests).toBe(3)
})
