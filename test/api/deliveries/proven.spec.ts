/** Proven receivers, whose last attempt succeeded, are served before the others. */
import { getWebhookUuid } from '../../support/factories/webhooks.js'
import { createHook, recordEvents, startSending, readStats } from '../../support/sending.js'
import type { Hook, Sending } from '../../support/sending.js'
import { waitFor } from '../../support/wait-for.js'

let sending: Sending
beforeAll(async () => {
  sending = await startSending()
})
afterAll(() => sending.stop())

async function isHookProven(hook: Hook): Promise<boolean> {
  const [row] = await sending.service.db.query<{ is_proven: boolean }>(
    'SELECT is_proven FROM subscriptions WHERE webhook_id = $1',
    [getWebhookUuid(hook)],
  )
  return row!.is_proven
}

async function deliverOne(hook: Hook): Promise<void> {
  const { succeeded } = await readStats(sending, hook)
  await recordEvents(sending, 1)
  await waitFor('the delivery', async () => (await readStats(sending, hook)).succeeded === succeeded + 1)
}

async function change(hook: Hook, body: object): Promise<void> {
  const { status } = await sending.service.call('PATCH', `/v1/webhooks/${hook.id}`, { body })
  expect(status).toBe(200)
}

it('treats a receiver as proven after a success, until its URL changes or the webhook is resumed', async () => {
  const hook = await createHook(sending)
  expect(await isHookProven(hook)).toBe(false)
  await deliverOne(hook)
  expect(await isHookProven(hook)).toBe(true)

  await change(hook, { url: `${sending.receiver.origin}/elsewhere` })
  expect(await isHookProven(hook)).toBe(false)
  await deliverOne(hook)
  expect(await isHookProven(hook)).toBe(true)

  await change(hook, { status: 'paused' })
  await change(hook, { status: 'active' })
  expect(await isHookProven(hook)).toBe(false)
  await deliverOne(hook)
  expect(await isHookProven(hook)).toBe(true)
})

it('treats a receiver as proven after another field changed', async () => {
  const hook = await createHook(sending)
  await deliverOne(hook)
  await change(hook, { description: 'of the shop' })
  expect(await isHookProven(hook)).toBe(true)
})
