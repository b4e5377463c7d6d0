/** A service that sends deliveries, and the receiver. */
import { DataSource } from 'typeorm'

import type { EventType } from '../../src/events/catalog.js'
import { payloads } from '../../src/events/payloads.js'
import { EventRecorder } from '../../src/events/event-recorder.js'
import type { NewEvent } from '../../src/events/event-recorder.js'
import { startReceiver } from './receiver.js'
import type { Receiver } from './receiver.js'
import { startService } from './service.js'
import type { Service } from './service.js'

export interface Sending {
  service: Service
  receiver: Receiver
  stop(): Promise<void>
}

/** Short steps, so that a test covers the full schedule. */
const shortSchedule = '1s,2s,1s'

export async function startSending(
  respond?: Parameters<typeof startReceiver>[0],
  env: Record<string, string> = {},
  onLog?: (text: string) => void,
): Promise<Sending> {
  const receiver = await startReceiver(respond)
  const service = await startService({
    env: {
      ROLE: 'all',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_RETRY_SCHEDULE: shortSchedule,
      ...env,
    },
    ...(onLog ? { onLog } : {}),
  })
  return {
    service,
    receiver,
    stop: async () => {
      await service.stop()
      await receiver.stop()
    },
  }
}

export interface Hook {
  id: string
  secret: string
  path: string
}

let hooks = 0

/** Creates a webhook with a separate path at the receiver. */
export async function createHook(
  { service, receiver }: Sending,
  fields: Record<string, unknown> = {},
): Promise<Hook> {
  hooks += 1
  const path = `/hook-${hooks}`
  const { status, body, text } = await service.call('POST', '/v1/webhooks', {
    body: { url: receiver.origin + path, events: ['link.created'], ...fields },
  })
  if (status !== 201) throw new Error(`no webhook was created: ${text}`)
  return { id: body.id, secret: body.secret ?? fields['secret'], path }
}

/** Records `count` events of nonexistent links, a hundred per transaction. */
export async function recordEvents(sending: Sending, count: number): Promise<void> {
  for (let recorded = 0; recorded < count; recorded += 100)
    await recordExamples(sending, Array<EventType>(Math.min(100, count - recorded)).fill('link.created'))
}

/** Records the examples of event types in one transaction. */
export async function recordExamples({ service: { app, db } }: Sending, types: readonly EventType[]) {
  const [workspace] = await db.query<{ id: string }>(`SELECT id FROM workspaces WHERE name = 'default'`)
  const events = types.map(
    (type) => ({ type, workspaceId: workspace!.id, linkId: null, data: payloads[type].example }) as NewEvent,
  )
  const recorder = app.get(EventRecorder, { strict: false })
  await app.get(DataSource).transaction((tx) => recorder.record(tx, ...events))
}

export async function readStats({ service }: Sending, { id }: Hook) {
  const { body } = await service.call('GET', `/v1/webhooks/${id}/stats`)
  return body as Record<
    'emitted' | 'succeeded' | 'pending' | 'held' | 'failed' | 'canceled' | 'attempts',
    number
  > & { circuit: string }
}

export async function readDeliveries({ service }: Sending, { id }: Hook) {
  const { body } = await service.call('GET', `/v1/webhooks/${id}/deliveries?limit=100`)
  return body.data as Record<string, any>[]
}
