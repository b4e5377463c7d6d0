/** The delivery health in the response for a webhook. */
import { waitFor } from '../../support/wait-for.js'
import { makeLink } from '../../support/factories/links.js'
import { readDeliveries, createHook, startSending } from '../../support/sending.js'
import type { Hook, Sending } from '../../support/sending.js'

const message = 'The receiver responded with 500 Internal Server Error.'

let sending: Sending
let isDown = true
beforeAll(async () => {
  sending = await startSending(
    (_request, response) => void response.writeHead(isDown ? 500 : 200).end('the disk is full'),
    { WEBHOOK_RETRY_SCHEDULE: '1h,1h' },
  )
})
afterAll(() => sending.stop())
beforeEach(() => (isDown = true))

const getWebhook = async ({ id }: Hook) => (await sending.service.call('GET', `/v1/webhooks/${id}`)).body
const listed = async ({ id }: Hook) =>
  (await sending.service.call('GET', '/v1/webhooks?limit=100')).body.data.find((each: any) => each.id === id)
const attempted = (hook: Hook, count: number) =>
  waitFor('the attempts', async () => (await getWebhookStats(hook)).attempts === count)
const getWebhookStats = async ({ id }: Hook) =>
  (await sending.service.call('GET', `/v1/webhooks/${id}/stats`)).body

async function makeFailedHook(): Promise<Hook> {
  const hook = await createHook(sending)
  await makeLink(sending.service)
  await attempted(hook, 1)
  return hook
}

it('a new webhook has no error, no success rate and no next attempt', async () => {
  expect(await getWebhook(await createHook(sending))).toMatchObject({
    last_error: null,
    success_rate_24h: null,
    next_attempt_at: null,
    circuit: 'closed',
  })
})

it('a failed attempt updates the error, the success rate and the next attempt in the webhook and the list', async () => {
  const hook = await makeFailedHook()
  const [delivery] = await readDeliveries(sending, hook)
  const record = await getWebhook(hook)
  expect(record).toMatchObject({
    last_error: { class: 'http_status', message, status_code: 500, delivery_id: delivery!['id'] },
    success_rate_24h: 0,
    next_attempt_at: delivery!['next_attempt_at'],
  })
  const attempt: { started_at: string; duration_ms: number } = delivery!['last_attempt']
  expect(Date.parse(record.last_error.at)).toBe(Date.parse(attempt.started_at) + attempt.duration_ms)
  expect(await listed(hook)).toEqual(record)
})

it('the last error stays after a success, which raises the success rate', async () => {
  const hook = await makeFailedHook()
  const { last_error } = await getWebhook(hook)
  isDown = false
  await makeLink(sending.service)
  await attempted(hook, 2)
  expect(await getWebhook(hook)).toMatchObject({ last_error, success_rate_24h: 0.5, failing_since: null })
})

it.each([
  ['a new URL', (hook: Hook) => [{ url: `${sending.receiver.origin}${hook.path}-new` }]],
  ['a resumption', () => [{ status: 'paused' }, { status: 'active' }]],
])('%s removes the last error', async (_, patches) => {
  const hook = await makeFailedHook()
  for (const body of patches(hook)) await sending.service.call('PATCH', `/v1/webhooks/${hook.id}`, { body })
  expect((await getWebhook(hook)).last_error).toBeNull()
})

it('a test changes neither the last error nor the success rate', async () => {
  const hook = await createHook(sending)
  await sending.service.call('POST', `/v1/webhooks/${hook.id}/test`)
  expect(await getWebhook(hook)).toMatchObject({ last_error: null, success_rate_24h: null })
})

it('a paused webhook has no next attempt', async () => {
  const hook = await makeFailedHook()
  await sending.service.call('PATCH', `/v1/webhooks/${hook.id}`, { body: { status: 'paused' } })
  expect(await getWebhook(hook)).toMatchObject({ next_attempt_at: null, last_error: { status_code: 500 } })
})
