/** A webhook whose secret was sealed under another ENCRYPTION_KEY: nothing can be signed until it gets a new one. */
import { makeLink } from '../../support/factories/links.js'
import { waitFor } from '../../support/wait-for.js'
import { uuidOf } from '../../support/factories/webhooks.js'
import { makeHook, startSending, statsOf } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'

let sending: Sending
beforeAll(async () => (sending = await startSending()))
afterAll(() => sending.stop())

it('takes no place of a request, and goes on by itself with a new secret', async () => {
  const { service } = sending
  const [readable, unreadable] = [await makeHook(sending), await makeHook(sending)]
  await service.db.query(
    'UPDATE webhooks SET sealed_secret = (SELECT sealed_secret FROM webhooks WHERE id = $2) WHERE id = $1',
    [uuidOf(unreadable), uuidOf(readable)],
  )
  for (let i = 0; i < 5; i++) await makeLink(service)
  await waitFor('the readable one', async () => (await statsOf(sending, readable)).succeeded === 5)
  expect(await statsOf(sending, unreadable)).toMatchObject({ pending: 5, attempts: 0 })
  await waitFor('no request to be under way', async () =>
    (await service.call('GET', '/metrics')).text.includes('link_service_worker_requests 0'),
  )

  await service.call('PATCH', `/v1/webhooks/${unreadable.id}`, { body: { secret: 'a new secret' } })
  await waitFor('the other', async () => (await statsOf(sending, unreadable)).succeeded === 5)
})
