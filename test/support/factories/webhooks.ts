/** Creates webhooks with a URL that receives no requests. */
import { decodeId } from '../../../src/platform/database/ids.js'
import { WebhookSecrets } from '../../../src/webhooks/webhook-secrets.js'
import type { Service } from '../service.js'

export const receiverUrl = 'https://receiver.example/hooks'

export interface WebhookResponse {
  id: string
  url: string
  events: string[]
  status: string
  secret?: string
  created_at: string
  updated_at: string
}

export async function makeWebhook(
  service: Service,
  fields: Record<string, unknown> = {},
  token = service.token,
): Promise<WebhookResponse> {
  const response = await service.call('POST', '/v1/webhooks', {
    token,
    body: { url: receiverUrl, events: ['link.created'], ...fields },
  })
  if (response.status !== 201) throw new Error(`no webhook was created: ${response.text}`)
  return response.body as WebhookResponse
}

/** Returns a webhook as later responses show it. */
export function withoutSecret(webhook: WebhookResponse): Omit<WebhookResponse, 'secret'> {
  const shown = { ...webhook }
  delete shown.secret
  return shown
}

export const getWebhookUuid = ({ id }: { id: string }): string => decodeId('wh', id)!

/** Returns the secrets that sign a delivery at a time. */
export async function signingSecrets(service: Service, id: string, now = new Date()): Promise<string[]> {
  const [row] = await service.db.query<{ sealed: Buffer; old: Buffer | null; ends: Date | null }>(
    'SELECT sealed_secret AS sealed, sealed_old_secret AS old, old_secret_ends_at AS ends FROM webhooks WHERE id = $1',
    [getWebhookUuid({ id })],
  )
  const { sealed, old, ends } = row!
  const stored = {
    id: getWebhookUuid({ id }),
    sealedSecret: sealed,
    sealedOldSecret: old,
    oldSecretEndsAt: ends,
  }
  return service.app.get(WebhookSecrets).signing(stored, now)
}

/** Creates deliveries as the fan-out does. */
export async function makeDeliveries(
  service: Service,
  webhook: { id: string },
  count: number,
  status = 'pending',
): Promise<void> {
  await service.db.query(
    `INSERT INTO deliveries (webhook_id, id, event_id, event_type, status, priority, next_attempt_at)
     SELECT $1, (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid,
       gen_random_uuid(), 'link.created', $3, 1, now()
     FROM generate_series(1, $2::int)`,
    [getWebhookUuid(webhook), count, status],
  )
  await service.db.query(
    `UPDATE lanes SET emitted = emitted + $2 ${status === 'pending' ? '' : `, ${status} = ${status} + $2`} WHERE webhook_id = $1`,
    [getWebhookUuid(webhook), count],
  )
}
