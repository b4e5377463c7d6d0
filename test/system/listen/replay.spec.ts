/** `listen --replay` sends chosen past events and ends. */
import { decodeId, encodeId, newId } from '../../../src/platform/database/ids.js'
import { makeLink } from '../../support/factories/links.js'
import { startReceiver } from '../../support/receiver.js'
import type { Receiver } from '../../support/receiver.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { runListen } from './listener.js'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
let service: Service
let receiver: Receiver
let status = 204
let events: string[]
beforeAll(async () => {
  service = await startService()
  receiver = await startReceiver((_, response) => void response.writeHead(status).end())
  const link = await makeLink(service)
  await service.call('PATCH', `/v1/links/${link.id}`, { body: { title: 'Größer' } })
  const { body } = await service.call('GET', '/v1/events')
  events = body.data.map(({ id }: { id: string }) => id)
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})
beforeEach(() => {
  receiver.received.length = 0
  status = 204
})

async function replay(...args: string[]) {
  const { gone, output, errors } = runListen(
    [
      '--url',
      `${service.origin}/api`,
      '--forward-to',
      `${receiver.origin}/hooks`,
      '--secret',
      secret,
      ...args,
    ],
    { LINK_SERVICE_TOKEN: service.token },
  )
  return { code: await gone, out: output(), err: errors() }
}

it('sends the events in the given order with their stored bodies', async () => {
  const { code, out } = await replay('--replay', ...events)
  expect(code).toBe(0)
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(events)
  expect(receiver.received.map(({ headers }) => headers['webhook-sequence'])).toEqual(['1', '2'])
  for (const { headers, body } of receiver.received) {
    const [row] = await service.db.query<{ body: string }>('SELECT body FROM events WHERE id = $1', [
      decodeId('evt', headers['webhook-id'] as string),
    ])
    expect(body).toBe(row!.body)
  }
  expect(out).toMatch(new RegExp(`link\\.updated +${events[0]} +204 .*\n.*link\\.created +${events[1]} +204`))
})

it('sends the remaining events and exits with 1 when the receiver rejects one', async () => {
  status = 500
  const { code, out } = await replay('--replay', events.join(','), '--json')
  expect(code).toBe(1)
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ kind, status }) => [kind, status])).toEqual([
    ['replaying', undefined],
    ['forwarded', 500],
    ['forwarded', 500],
  ])
})

it('sends nothing when one of the events does not exist', async () => {
  const unknown = encodeId('evt', newId())
  const { code, err } = await replay('--replay', events[0]!, unknown)
  expect([code, err]).toEqual([1, expect.stringContaining(`has no event ${unknown}. Nothing was sent.`)])
  expect(receiver.received).toEqual([])
})

it.each([
  [['--replay', 'lnk_1'], '--replay takes IDs of events'],
  [['--replay', 'evt_01kaj4d0qae6svf0k9w3m7x2ht', '--from', 'start'], "cannot be used with option '--from"],
])('rejects %j as a usage error', async (args, message) => {
  const { code, err } = await replay(...args)
  expect([code, err]).toEqual([2, expect.stringContaining(message)])
})
