/** Inserts webhooks, events and deliveries in any state. */

import { DataSource } from 'typeorm'

import { encodeId, lowestIdAt, newId } from '../../../src/platform/database/ids.js'
import { createPartitions, partitionsBetween } from '../../../src/platform/database/partitions.js'
import { attemptPartitions } from '../../../src/deliveries/attempt.entity.js'
import { deliveryPartitions } from '../../../src/deliveries/delivery.entity.js'
import { eventPartitions } from '../../../src/events/event.entity.js'
import type { EventType } from '../../../src/events/catalog.js'
import { exampleEvent } from '../../../src/events/payloads.js'
import { WebhookSecrets } from '../../../src/webhooks/webhook-secrets.js'
import type { Service } from '../service.js'

export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

export interface MadeWebhook {
  /** The public ID. */
  id: string
  uuid: string
  workspaceId: string
}

interface WebhookFields {
  url: string
  events: string[]
  status: 'active' | 'paused' | 'disabled'
  disabledReason: string | null
  createdAt: Date
  deletedAt: Date | null
  workspace: string
}

/** Creates a webhook and its lane. */
export async function makeWebhook(
  service: Service,
  fields: Partial<WebhookFields> = {},
): Promise<MadeWebhook> {
  const uuid = newId()
  const { workspace = 'default', createdAt = new Date() } = fields
  const sealed = service.app
    .get(WebhookSecrets, { strict: false })
    .replace(uuid, secret, null, null).sealedSecret
  const [row] = await service.db.query<{ workspace_id: string }>(
    `INSERT INTO webhooks (id, workspace_id, url, events, status, disabled_reason, max_in_flight, sealed_secret, secret_hint,
       created_at, updated_at, deleted_at)
     SELECT $1, id, $2, $3, $4, $5, 10, $6, 'aSw', $7, $7, $8 FROM workspaces WHERE name = $9 RETURNING workspace_id`,
    [
      uuid,
      fields.url ?? 'https://receiver.example/hooks',
      fields.events ?? ['*'],
      fields.status ?? 'active',
      fields.disabledReason ?? null,
      sealed,
      createdAt,
      fields.deletedAt ?? null,
      service.workspaceFor(workspace),
    ],
  )
  await service.db.query('INSERT INTO lanes (webhook_id) VALUES ($1)', [uuid])
  return { id: encodeId('wh', uuid), uuid, workspaceId: row!.workspace_id }
}

export async function makeEvent(
  service: Service,
  { workspaceId }: Pick<MadeWebhook, 'workspaceId'>,
  type: EventType = 'click',
  data: object = exampleEvent(type).data,
  at = new Date(),
): Promise<{ id: string; uuid: string }> {
  const uuid = idAt(at)
  const id = encodeId('evt', uuid)
  await service.db.query(
    `INSERT INTO events (tx, id, workspace_id, type, body) VALUES (pg_current_xact_id()::text::bigint, $1, $2, $3, $4)`,
    [uuid, workspaceId, type, JSON.stringify({ id, type, timestamp: at.toISOString(), data })],
  )
  return { id, uuid }
}

interface DeliveryFields {
  eventId: string
  type: EventType
  status: 'pending' | 'succeeded' | 'failed' | 'canceled'
  attempts: AttemptFields[]
  nextAttemptAt: Date | null
  endReason: string | null
  test: boolean
  at: Date
}

interface AttemptFields {
  statusCode?: number | null
  errorClass?: string | null
  errorMessage?: string | null
  durationMs?: number
  startedAt?: Date
  body?: string
}

/** Creates a delivery with its attempts, and counts it in the lane as the service does. */
export async function makeDelivery(
  service: Service,
  { uuid: webhookId }: Pick<MadeWebhook, 'uuid'>,
  fields: Partial<DeliveryFields> = {},
): Promise<{ id: string; uuid: string }> {
  const { status = 'pending', attempts = [], test = false, at = new Date() } = fields
  const uuid = idAt(at)
  const isPending = status === 'pending'
  await service.db.query(
    `INSERT INTO deliveries (webhook_id, id, event_id, event_type, status, priority, sequence, attempt_count, next_attempt_at,
       completed_at, end_reason, test, last_error_class)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      webhookId,
      uuid,
      fields.eventId ?? newId(),
      fields.type ?? 'click',
      status,
      attempts.length > 0 ? 0 : 1,
      attempts.length > 0 && !test ? 1 : null,
      attempts.length,
      isPending ? (fields.nextAttemptAt ?? new Date()) : null,
      isPending ? null : new Date(),
      fields.endReason ?? null,
      test,
      attempts.at(-1)?.errorClass ?? null,
    ],
  )
  for (const [i, attempt] of attempts.entries()) await makeAttempt(service, uuid, i + 1, attempt)
  if (!test)
    await service.db.query(
      `UPDATE lanes SET emitted = emitted + 1, attempts = attempts + $2 ${isPending ? '' : `, ${status} = ${status} + 1`}
       WHERE webhook_id = $1`,
      [webhookId, attempts.length],
    )
  return { id: encodeId('dlv', uuid), uuid }
}

async function makeAttempt(
  service: Service,
  deliveryId: string,
  number: number,
  {
    statusCode = null,
    errorClass = null,
    errorMessage = null,
    durationMs = 35,
    startedAt,
    body,
  }: AttemptFields,
): Promise<void> {
  await service.db.query(
    `INSERT INTO attempts (delivery_id, number, id, started_at, duration_ms, status_code, error_class, error_message,
       remote_address, request_headers, response_headers, response_body, response_truncated, timings)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '203.0.113.80', '{"user-agent":"link-service","webhook-timestamp":"1","webhook-signature":"v1,x"}', $9, $10, false, $11)`,
    [
      deliveryId,
      number,
      newId(),
      startedAt ?? new Date(),
      durationMs,
      statusCode,
      errorClass,
      errorMessage,
      statusCode === null ? null : '{"content-type":"text/plain"}',
      body ?? null,
      [1.5, 2.25, NaN, 20, durationMs],
    ],
  )
}

/** Creates the partitions for a time. Past partitions exist only if a test creates them. */
export async function makePlaceAt(service: Service, time: Date): Promise<void> {
  await service.app.get(DataSource).transaction(async (tx) => {
    for (const table of [eventPartitions, deliveryPartitions, attemptPartitions])
      await createPartitions(tx, partitionsBetween(table, time, time))
  })
}

/** Creates and counts many deliveries, one millisecond apart. */
export async function makeManyDeliveries(
  service: Service,
  { uuid }: Pick<MadeWebhook, 'uuid'>,
  count: number,
  status: DeliveryFields['status'] = 'failed',
): Promise<void> {
  await makePlaceAt(service, new Date(Date.now() - count - 1_000))
  await service.db.query(
    `INSERT INTO deliveries (webhook_id, id, event_id, event_type, status, priority, next_attempt_at, completed_at)
     SELECT $1, ${sqlIdAgo('$2::bigint - n + 10')}, gen_random_uuid(), CASE WHEN n % 2 = 0 THEN 'click' ELSE 'link.created' END,
       $3, 1, CASE WHEN $3 = 'pending' THEN now() END, CASE WHEN $3 <> 'pending' THEN now() END
     FROM generate_series(1, $2::bigint) AS n`,
    [uuid, count, status],
  )
  await service.db.query(
    `UPDATE lanes SET emitted = emitted + $2 ${status === 'pending' ? '' : `, ${status} = ${status} + $2`} WHERE webhook_id = $1`,
    [uuid, count],
  )
}

/** Returns an SQL expression for the ID of a row created this many milliseconds ago. */
function sqlIdAgo(milliseconds: string): string {
  const time = `((extract(epoch FROM now()) * 1000)::bigint - (${milliseconds}))`
  return `(lpad(to_hex(${time}), 12, '0') || '7' || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 4, 15))::uuid`
}

/** Returns a random ID for this time. */
function idAt(time: Date): string {
  return lowestIdAt(time).slice(0, 13) + newId().slice(13)
}

export interface Stats {
  emitted: number
  succeeded: number
  pending: number
  held: number
  failed: number
  canceled: number
  attempts: number
  success_rate_24h: number | null
  hours: { start: string; succeeded: number; failed: number }[]
  latency_ms: { p50: number | null; p95: number | null; p99: number | null }
  next_attempt_at: string | null
  circuit: string
}

export async function readStats(service: Service, { id }: Pick<MadeWebhook, 'id'>): Promise<Stats> {
  const { status, body } = await service.call('GET', `/v1/webhooks/${id}/stats`)
  if (status !== 200) throw new Error(`no stats: ${JSON.stringify(body)}`)
  return body as Stats
}

/** Counts rows by status, without tests, to compare with the counters. */
export async function countRows(
  service: Service,
  { uuid }: Pick<MadeWebhook, 'uuid'>,
): Promise<Record<string, number>> {
  const rows = await service.db.query<{ status: string; count: string }>(
    'SELECT status, count(*) FROM deliveries WHERE webhook_id = $1 AND NOT test GROUP BY 1',
    [uuid],
  )
  return Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]))
}
