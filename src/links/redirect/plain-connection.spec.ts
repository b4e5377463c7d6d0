/** Connections on which short links are answered in front of node, and how node gets them when something else comes. */
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

import { RedirectServer, launch } from '../../../test/support/redirect-server.js'
import { waitFor } from '../../../test/support/wait-for.js'

let server: RedirectServer
const visitors: Visitor[] = []
beforeEach(async () => {
  server = await RedirectServer.start()
})
afterEach(() => {
  for (const visitor of visitors.splice(0)) visitor.socket.destroy()
  server.stop()
})

interface Visitor {
  socket: Socket
  received: string
  isClosed: boolean
  send(text: string): void
  /** The status lines so far, once there are as many. */
  answers(count: number): Promise<string[]>
}

async function visitor(): Promise<Visitor> {
  const socket = connect({
    port: Number(new URL(server.origin).port),
    host: '127.0.0.1',
    allowHalfOpen: true,
  })
  const opened: Visitor = {
    socket,
    received: '',
    isClosed: false,
    send: (text) => socket.write(text, 'latin1'),
    answers: async (count) => {
      const found = () => [...opened.received.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status!)
      await waitFor(`${count} answers`, () => found().length >= count, 3_000)
      return found()
    },
  }
  socket.on('data', (bytes) => (opened.received += bytes.toString('latin1')))
  socket.on('error', () => undefined)
  for (const event of ['end', 'close']) socket.on(event, () => (opened.isClosed = true))
  await once(socket, 'connect')
  visitors.push(opened)
  return opened
}

const get = (path: string, headers = '', method = 'GET'): string =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`
const closed = (opened: Visitor) => waitFor('the end of the connection', () => opened.isClosed, 3_000)
const withoutDate = (text: string): string => text.replace(/\r\nDate: [^\r]*/, '')

it('answers one visit after the other', async () => {
  const one = await visitor()
  for (let i = 1; i <= 5; i++) {
    one.send(get('/launch'))
    expect(await one.answers(i)).toEqual(Array(i).fill('302'))
  }
  expect(server.visits).toHaveLength(5)
})

it.each([
  ['/launch', {}],
  ['/launch?q=1', { forwardQuery: true }],
  ['/launch', { status: 301 }],
  ['/launch', { enabled: false }],
  ['/nothing', {}],
] as const)('gives %s %j the answer that node would give, byte for byte', async (path, changes) => {
  server.put(changes)
  const [here, there] = [await visitor(), await visitor()]
  const request = get(path, 'X-Request-Id: id\r\n')
  here.send(request)
  await here.answers(1)
  // In two pieces, which only node puts together.
  there.send(request.slice(0, 10))
  await pause(20)
  there.send(request.slice(10))
  await there.answers(1)
  expect(withoutDate(here.received)).toBe(withoutDate(there.received))
  const date = Date.parse(/\r\nDate: ([^\r]*)/.exec(here.received)![1]!)
  expect(Math.abs(date - Date.now())).toBeLessThan(5_000)
})

it.each([
  ['another path', get('/api/v1/links'), '299'],
  ['another method', get('/launch', '', 'DELETE'), '299'],
  ['HEAD', get('/launch', '', 'HEAD'), '302'],
  ['a body', get('/api', 'Content-Length: 5\r\n', 'POST') + 'hello', '299'],
  ['no HTTP at all', 'hello\r\n\r\n', '400'],
])('gives the connection to node when %s comes', async (_, request, status) => {
  const one = await visitor()
  one.send(get('/launch'))
  await one.answers(1)
  one.send(request)
  expect(await one.answers(2)).toEqual(['302', status])
  if (status === '400') {
    await closed(one)
    return
  }
  one.send(get('/launch'))
  expect(await one.answers(3)).toEqual(['302', status, '302'])
})

it('gives node every byte, also of a body that comes in pieces', async () => {
  const one = await visitor()
  one.send(get('/launch'))
  await one.answers(1)
  one.send(get('/api', `Content-Length: ${50 * 1_000}\r\n`, 'POST'))
  for (let i = 0; i < 50; i++) {
    one.send('x'.repeat(1_000))
    if (i % 10 === 0) await pause(5)
  }
  one.send(get('/launch'))
  expect(await one.answers(3)).toEqual(['302', '299', '302'])
})

it('answers in their order what comes while a visit is being answered', async () => {
  await server.get('/launch')
  server.holdAnswers = true
  const one = await visitor()
  one.send(get('/launch'))
  await waitFor('the visit', () => server.visits.length === 2)
  one.send(get('/api'))
  await pause(5)
  one.send(get('/nothing').slice(0, 9))
  await pause(20)
  expect(one.received).toBe('')
  server.holdAnswers = false
  server.release()
  expect(await one.answers(2)).toEqual(['302', '299'])
  one.send(get('/nothing').slice(9))
  expect(await one.answers(3)).toEqual(['302', '299', '404'])
})

it('answers a visitor who sends no more, and then ends the connection', async () => {
  const one = await visitor()
  one.socket.end(get('/launch'))
  expect(await one.answers(1)).toEqual(['302'])
  expect(one.received).toContain('\r\nConnection: close\r\n')
  await closed(one)
})

it('records a visitor who is gone before the answer, and goes on', async () => {
  server.holdAnswers = true
  const one = await visitor()
  one.send(get('/launch'))
  await waitFor('the visit', () => server.visits.length === 1)
  one.socket.resetAndDestroy()
  await pause(20)
  server.holdAnswers = false
  server.release()
  expect((await server.get('/launch')).status).toBe(302)
})

it('ends a connection on which nothing happens', async () => {
  await server.restart({}, 50)
  const one = await visitor()
  await closed(one)
  const other = await visitor()
  other.send(get('/launch'))
  await other.answers(1)
  await closed(other)
})

it('ends idle connections when the server closes, and the others with their answer', async () => {
  await server.get('/launch')
  const [idle, busy, handedOn] = [await visitor(), await visitor(), await visitor()]
  handedOn.send(get('/api'))
  await handedOn.answers(1)
  server.holdAnswers = true
  busy.send(get('/launch'))
  await waitFor('the visit', () => server.visits.length === 2)
  server.close()
  await Promise.all([closed(idle), closed(handedOn)])
  expect(busy.isClosed).toBe(false)
  server.release()
  expect(await busy.answers(1)).toEqual(['302'])
  expect(busy.received).toContain(`\r\nLocation: ${launch.location}\r\n`)
  expect(busy.received).toContain('\r\nConnection: close\r\n')
  await closed(busy)
})
