import type { Page, Webhook } from '@link-service/client'

import { service } from '../../api/client.js'
import { formatNumber } from '../../app/format.js'
import { useResource } from '../../app/resource.js'
import type { Resource } from '../../app/resource.js'
import { can, canUseWebhook } from '../../app/session.js'
import { A, Section } from '../../components/basics.js'
import { TestButton } from '../../components/next-step.js'
import {
  getWebhookName,
  isInTrouble,
  LastError,
  SuccessRate,
  WebhookNextAttempt,
  WebhookState,
} from '../webhooks/health.js'

const maxWebhooks = 100
const maxShown = 5

export function useWebhooks(): Resource<Page<Webhook>> {
  return useResource(
    can('webhooks:read') ? 'overview webhooks' : null,
    (signal) => service.webhooks.list({ limit: maxWebhooks }, { signal }).page(),
    { everyMs: 30_000 },
  )
}

/** Webhooks that are failing, disabled or paused by their receiver. Renders nothing if there are none. */
export function WebhooksInTrouble({ webhooks }: { webhooks: Resource<Page<Webhook>> }) {
  const inTrouble = webhooks.data?.data.filter(isInTrouble) ?? []
  if (inTrouble.length === 0) return null
  const others = inTrouble.length - maxShown
  return (
    <Section
      title="Webhooks needing attention"
      class="trouble"
      actions={<A to="/webhooks">{others > 0 ? `All webhooks (${others} more)` : 'All webhooks'}</A>}
    >
      <ul class="trouble-list">
        {inTrouble.slice(0, maxShown).map((webhook) => (
          <Row key={webhook.id} webhook={webhook} onTest={webhooks.reload} />
        ))}
      </ul>
    </Section>
  )
}

function Row({ webhook, onTest }: { webhook: Webhook; onTest: () => void }) {
  const { id, url, description, pending, held } = webhook
  return (
    <li>
      <div>
        <div class="row">
          <WebhookState webhook={webhook} />
          <A to={`/webhooks/${id}`} class="name break">
            {getWebhookName(webhook)}
          </A>
          {description && <span class="clip muted small-text wide-only">{url}</span>}
        </div>
        <div class="facts-line small-text muted">
          <LastError webhook={webhook} />
          <span class="wide-only">
            <SuccessRate webhook={webhook} />
          </span>
          {pending > 0 && <span>{formatNumber(pending)} pending</span>}
          {held > 0 && <span>{formatNumber(held)} held</span>}
          <WebhookNextAttempt webhook={webhook} />
        </div>
      </div>
      {canUseWebhook('test') && <TestButton webhookId={id} onDone={onTest} small />}
    </li>
  )
}
