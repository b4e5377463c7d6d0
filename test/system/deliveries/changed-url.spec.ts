/** A late response from the former URL of a webhook does not affect deliveries to the new URL. */
import type { ServerResponse } from 'node:http'

import { decodeId } from '../../../src/platform/database/ids.js'
import { makeLink } from '../../support/factories/links.js'
import { createHook, startSending } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'
import { waitFor } from '../../support/wait-for.js'

/** The responses that the old URLs hold back, by path. */
const heldResponses = new Map<string, ServerResponse[]>()

let sending: Sending
beforeAll(async () => {
  sending = await startSending(({ path }, response) => {
    const waiting = heldResponses.get(path)
    if (waiting) waiting.push(response)
    else response.writeHead(204).end()
  })
})
afterAll(() => sending.stop())

it.each([
  ['410', 410, {}],
  ['503 with Retry-After', 503, { 'retry-after': '3600' }],
  ['500', 500, {}],
])('ignores %s from the former URL of a webhook', async (_name, status, headers: Record<string, string>) => {
  const { service, receiver } = sending
  const hook = await createHook(sending)
  const newPath = `${hook.path}-new`
  const waiting: ServerResponse[] = []
  heldResponses.set(hook.path, waiting)
  await makeLink(service)
  await waitFor('the request', () => waiting.length === 1)
  const url = `${receiver.origin}${newPath}`
  expect((await service.call('PATCH', `/v1/webhooks/${hook.id}`, { body: { url } })).status).toBe(200)
  waiting[0]!.writeHead(status, headers).end()
  const lane = async () => {
    const text =
      'SELECT attempts::int, failures_in_a_row, paused_until, failing_since FROM lanes WHERE webhook_id = $1'
    return (await service.db.query(text, [decodeId('wh', hook.id)]))[0]!
  }
  await waitFor('the response to be recorded', async () => (await lane())['attempts'] === 1)
  expect(await lane()).toEqual({ attempts: 1, failures_in_a_row: 0, paused_until: null, failing_since: null })
  await makeLink(service)
  await waitFor('a delivery to the new URL', () => receiver.requestsTo(newPath).length > 0)
  expect((await service.call('GET', `/v1/webhooks/${hook.id}`)).body).toMatchObject({ status: 'active' })
})
