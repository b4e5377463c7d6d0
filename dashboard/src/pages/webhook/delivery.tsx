/** One delivery: the reason for its status, and its attempts. */
import type { Explanation, ResultOf } from '@link-service/client'

import { service } from '../../api/client.js'
import { formatNumber, plural } from '../../app/format.js'
import { useResource } from '../../app/resource.js'
import { isPortal } from '../../app/base.js'
import { can, canUseWebhook } from '../../app/session.js'
import { A, Badge, CopyButton, PageHead, Time } from '../../components/basics.js'
import { NextStepButton, NextStepMessage, RedeliverButton } from '../../components/next-step.js'
import { Sentence } from '../../components/sentence.js'
import { Loaded, NotFound, RequireScope } from '../../components/states.js'
import { Attempts } from './attempts.js'
import { SubjectLink } from '../events/subject.js'
import { getWebhookName } from '../webhooks/health.js'
import { DeliveryState } from './deliveries.js'

type DeliveryDetails = ResultOf<'getDelivery'>

export function DeliveryPage({ webhookId, id }: { webhookId: string; id: string }) {
  const delivery = useResource(
    `delivery ${id}`,
    (signal) => service.webhooks.delivery(webhookId, id, { signal }),
    { everyMs: 3_000 },
  )
  return (
    <RequireScope scope="webhooks:read" title="Delivery">
      <Loaded
        from={delivery}
        title="Delivery"
        rows={8}
        absent={<NotFound what="delivery" back={`/webhooks/${webhookId}`} />}
      >
        {(data) => <Delivery delivery={data} onChange={delivery.reload} />}
      </Loaded>
    </RequireScope>
  )
}

function Delivery({ delivery, onChange }: { delivery: DeliveryDetails; onChange: () => void }) {
  const { id, status, attempt_count: count, webhook_id: webhookId, event_id: eventId } = delivery
  const isExplained = can('events:read') && !delivery.test
  const explanation = useResource(isExplained ? `reason ${id} ${status} ${count}` : null, (signal) =>
    service.events.explainFor(eventId, webhookId, { signal }),
  )
  const webhook = useResource(`webhook ${webhookId}`, (signal) => service.webhooks.get(webhookId, { signal }))
  const reload = () => {
    onChange()
    explanation.reload()
  }
  // The explanation may offer the same button.
  const isOffered = isExplained && explanation.data?.next_step.action === 'redeliver'
  const isDecided = !isExplained || explanation.data !== null || explanation.error !== null
  const attempts = [...delivery.attempts].sort((a, b) => b.number - a.number)
  return (
    <>
      <PageHead
        title={`Delivery of ${delivery.event_type}`}
        up={[
          ...(isPortal ? [] : [['/webhooks', 'Webhooks'] as const]),
          [`/webhooks/${webhookId}`, webhook.data ? getWebhookName(webhook.data) : 'Webhook'],
        ]}
        lead={
          <div class="facts-line">
            <DeliveryState delivery={delivery} />
            {delivery.test && <Badge>test</Badge>}
            {delivery.subject && (
              <span>
                <SubjectLink subject={delivery.subject} />
              </span>
            )}
            <span>
              created <Time at={delivery.created_at} />
            </span>
            <span>{plural(count, 'attempt')}</span>
            {delivery.sequence !== null && (
              <span title="Position among all deliveries of the webhook">
                sequence {formatNumber(delivery.sequence)}
              </span>
            )}
            <span class="row">
              <code>{id}</code>
              <CopyButton isIcon text={id} label="Copy ID" />
            </span>
            {can('events:read') && <A to={`/events/${eventId}`}>View event</A>}
          </div>
        }
      >
        {canUseWebhook('replay') && !delivery.test && isDecided && !isOffered && (
          <RedeliverButton webhookId={webhookId} id={id} onDone={reload} />
        )}
      </PageHead>
      {explanation.data && <StatusReason status={status} explanation={explanation.data} onDone={reload} />}
      <Attempts
        attempts={attempts}
        eventId={eventId}
        isTest={delivery.test}
        url={webhook.data?.url ?? null}
      />
    </>
  )
}

interface StatusReasonProps {
  status: DeliveryDetails['status']
  explanation: Explanation
  onDone: () => void
}

function StatusReason({ status, explanation, onDone }: StatusReasonProps) {
  const [, fact = '', rest = ''] = /^(.*?(?:[.:](?= )|$))(.*)$/s.exec(explanation.sentence) ?? []
  const tone = status === 'succeeded' ? 'good' : status === 'failed' ? 'bad' : 'warn'
  return (
    <div class={`callout verdict ${tone}`}>
      <div>
        <p>
          <b>
            <Sentence text={fact} />
          </b>
          <Sentence text={rest} />
        </p>
        <p>
          <NextStepMessage step={explanation.next_step} />
        </p>
      </div>
      <NextStepButton step={explanation.next_step} onDone={onDone} />
    </div>
  )
}
