/** All routes return the same time for the next attempt of a delivery. */
import { makeDelivery, makeEvent, makeWebhook } from '../../support/factories/deliveries.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'

let service: Service
beforeAll(async () => {
  service = await shareService()
})
afterAll(() => service.stop())

const failure = { errorClass: 'refused', errorMessage: 'Nothing accepts connections.' }
const minutesAway = (minutes: number) => new Date(Date.now() + minutes * 60_000)
const read = async (path: string) => (await service.call('GET', path)).body

it.each([
  ['a first attempt that is scheduled', [], {}, 5],
  ['a first attempt behind an open circuit', [], { probe_at: 10 }, 10],
  ['a retry behind an open circuit', [failure], { probe_at: 10 }, 5],
  ['a first attempt during a Retry-After', [], { paused_until: 20 }, 20],
  ['a retry during a Retry-After', [failure], { paused_until: 20, probe_at: 30 }, 20],
  [
    'a first attempt during a Retry-After and behind an open circuit',
    [],
    { paused_until: 20, probe_at: 30 },
    30,
  ],
])('all routes return the same time for %s', async (_, attempts, lane, expected) => {
  const times = new Map([5, 10, 20, 30].map((minutes) => [minutes, minutesAway(minutes)]))
  const webhook = await makeWebhook(service)
  const event = await makeEvent(service, webhook)
  const { id } = await makeDelivery(service, webhook, {
    eventId: event.uuid,
    attempts,
    nextAttemptAt: times.get(5)!,
  })
  for (const [column, minutes] of Object.entries(lane))
    await service.db.query(`UPDATE lanes SET ${column} = $2 WHERE webhook_id = $1`, [
      webhook.uuid,
      times.get(minutes),
    ])
  const path = `/v1/webhooks/${webhook.id}`
  const responses = [
    await read(`${path}/deliveries/${id}`),
    (await read(`${path}/deliveries`)).data[0],
    (await read(`/v1/events/${event.id}`)).deliveries[0],
    await read(`/v1/events/${event.id}/explain?webhook_id=${webhook.id}`),
    (await read(`/v1/events/${event.id}/explain?webhook_id=${webhook.id}`)).delivery,
    await read(`${path}/stats`),
    await read(path),
  ]
  const at = times.get(expected)!.toISOString()
  expect(responses.map(({ next_attempt_at }) => next_attempt_at)).toEqual(responses.map(() => at))
})
