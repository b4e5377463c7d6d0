/** Bodies in chunks of one byte, and pipelined requests, use little memory. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { openSocket, readAnswer } from '../../support/raw-socket.js'
import { encryptionKey, pepper } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

const connections = 200
const chunksEach = 4_000
const maxMiB = 50

let folder: string
let db: TestDatabase
let service: ServiceProcess
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link-service-chunks-'))
  db = await createDatabase()
  service = await startProcess({
    ROLE: 'api',
    RATE_LIMIT: 'off',
    DATABASE_URL: db.url,
    TOKEN_PEPPER: pepper,
    ENCRYPTION_KEY: encryptionKey,
    DATA_DIR: folder,
    NODE_OPTIONS: `--import=${pathToFileURL(resolve('test/support/collected-garbage.js')).href}`,
  })
})
afterAll(async () => {
  await service.stop()
  await db.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Returns the memory in use. Resident memory would include what the allocator keeps in reserve. */
async function usedMiB(): Promise<number> {
  const text = await (await fetch(`${service.origin}/metrics`)).text()
  const bytes = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)![1])
  return (bytes('nodejs_heap_size_used_bytes') + bytes('nodejs_external_memory_bytes')) / 2 ** 20
}

/** Waits until at most `maxMiB` more than `before` are in use. Garbage is collected twice a second. */
async function waitForLittleMemory(before: number): Promise<void> {
  let growth = Infinity
  const isLittle = async () => (growth = (await usedMiB()) - before) < maxMiB
  await waitFor('little memory', isLittle, 10_000).catch(() => {
    throw new Error(`${growth.toFixed(0)} MiB more than before are still in use.`)
  })
}

const oneByteChunks = '1\r\na\r\n'.repeat(chunksEach)
const head = (path: string, more: string) =>
  `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n${more}\r\n`

async function beginBodies(count: number): Promise<Socket[]> {
  const authorization = `authorization: Bearer ${service.firstToken}\r\n`
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = await openSocket(service.origin)
      socket.write(head('/api/v1/links/bulk', authorization) + oneByteChunks)
      if (socket.writableLength > 0) await once(socket, 'drain')
      return socket
    }),
  )
}

it(`uses at most ${maxMiB} MiB for 800,000 one-byte chunks on 200 connections`, async () => {
  // The first requests make the service load code and grow its heap.
  for (const socket of await beginBodies(20)) socket.destroy()
  const before = await usedMiB()
  const sockets = await beginBodies(connections)
  try {
    await waitForLittleMemory(before)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
})

it('returns 413 for a body over 2 KiB without a token', async () => {
  const socket = await openSocket(service.origin)
  socket.write(head('/api/v1/auth/revoke', '') + oneByteChunks)
  expect(await readAnswer(socket)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
  socket.destroy()
})

it('returns 408 for a slow body without a token after 10 s', async () => {
  const socket = await openSocket(service.origin)
  socket.write(`${head('/api/v1/auth/revoke', '')}1\r\n{\r\n`)
  const startedAt = performance.now()
  expect(await readAnswer(socket)).toMatchObject({ status: 408, body: { code: 'request_timeout' } })
  expect(performance.now() - startedAt).toBeGreaterThan(9_500)
  socket.destroy()
})

it('stops reading requests from a client that does not read responses', async () => {
  const socket = await openSocket(service.origin)
  socket.pause()
  const one = `GET /api/v1/auth/token/self HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${service.firstToken}\r\n\r\n`
  let sent = 0
  const send = () => {
    while (!socket.destroyed && socket.write(one)) sent += 1
    socket.once('drain', send)
  }
  send()
  const before = await usedMiB()
  await waitFor('the service to disconnect', () => socket.destroyed, 20_000)
  await waitForLittleMemory(before)
  // With backpressure, the requests stay in the socket buffers. Without it, the service would serve them all.
  expect(sent).toBeLessThan(200_000)
})
