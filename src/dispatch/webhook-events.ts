import { encodeId } from '../platform/database/ids.js'
import type { EventData } from '../events/catalogue.js'
import type { NewEvent } from '../events/event-recorder.js'
import type { Webhook } from '../webhooks/webhook.entity.js'
import type { Lane } from '../deliveries/lane.entity.js'

/** For the other webhooks of the workspace: the one that it is about would not get it. */
export function webhookEvent(
  type: 'webhook.failing' | 'webhook.disabled',
  webhook: Webhook,
  lane: Lane,
  reason: string,
): NewEvent {
  const { workspaceId, id } = webhook
  return { type, workspaceId, linkId: null, notTo: id, data: { webhook: show(webhook, lane), reason } }
}

function show(webhook: Webhook, lane: Lane): EventData['webhook.failing']['webhook'] {
  return {
    id: encodeId('webhook', webhook.id),
    url: webhook.url,
    events: webhook.events,
    description: webhook.description,
    status: webhook.status,
    disabled_reason: webhook.disabledReason,
    last_success_at: lane.lastSuccessAt?.toISOString() ?? null,
    failing_since: lane.failingSince?.toISOString() ?? null,
    created_at: webhook.createdAt.toISOString(),
    updated_at: webhook.updatedAt.toISOString(),
  }
}
