/** One delivery: the reason for its status, and its attempts. */
import type { ResultOf } from '@link-service/client'

import { service } from '../../api/client.js'
import { plural } from '../../app/format.js'
import { showNotice } from '../../app/notices.js'
import { useResource } from '../../app/resource.js'
import { can } from '../../app/session.js'
import { snippetOf } from '../../app/snippets.js'
import { A, Badge, CopyButton, NextAttempt, PageHead, Section, Time } from '../../components/basics.js'
import { FormError, useAction } from '../../components/form.js'
import { Sentence } from '../../components/sentence.js'
import { Empty, Loaded, NotFound, RequireScope } from '../../components/states.js'
import { AttemptView } from './attempt.js'
import type { Attempt } from './attempt.js'
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
  const redelivering = useAction()
  const { id, webhook_id: webhookId, event_id: eventId } = delivery
  const redeliver = () =>
    redelivering.run(async () => {
      await service.webhooks.redeliver(webhookId, id)
      const path = `/v1/webhooks/${webhookId}/deliveries/${id}/redeliver`
      showNotice(
        'Redelivery queued.',
        snippetOf({ method: 'POST', path, call: 'webhooks.redeliver', args: [webhookId, id] }),
      )
      onChange()
    })
  const attempts = [...delivery.attempts].sort((a, b) => b.number - a.number)
  return (
    <>
      <PageHead
        title={`Delivery of ${delivery.event_type}`}
        lead={
          <div class="facts-line">
            <DeliveryState status={delivery.status} />
            {delivery.test && <Badge>test</Badge>}
            <span>
              created <Time at={delivery.created_at} />, {plural(delivery.attempt_count, 'attempt')}
            </span>
            {delivery.next_attempt_at && (
              <span>
                next attempt <NextAttempt at={delivery.next_attempt_at} />
              </span>
            )}
            <A to={`/webhooks/${webhookId}`}>Webhook</A>
            <A to={`/events/${eventId}`}>Event</A>
          </div>
        }
      >
        {can('webhooks:write') && !delivery.test && (
          <button type="button" class="primary" disabled={redelivering.isBusy} onClick={redeliver}>
            Redeliver
          </button>
        )}
      </PageHead>
      <FormError error={redelivering.error} />
      {can('events:read') && !delivery.test && <StatusReason delivery={delivery} />}
      <Attempts attempts={attempts} eventId={eventId} isTest={delivery.test} webhookId={webhookId} />
    </>
  )
}

function StatusReason({ delivery }: { delivery: DeliveryDetails }) {
  const { status, attempt_count: count, event_id: eventId, webhook_id: webhookId } = delivery
  const reason = useResource(`reason ${delivery.id} ${status} ${count}`, (signal) =>
    service.events.explainFor(eventId, webhookId, { signal }),
  )
  const explanation = reason.data
  if (!explanation) return null
  const tone = status === 'succeeded' ? 'good' : status === 'failed' ? 'bad' : 'warn'
  return (
    <div class={`callout ${tone}`}>
      <p>
        <b>
          <Sentence text={explanation.sentence} />
        </b>
      </p>
      <p>{explanation.next_step}</p>
    </div>
  )
}

interface AttemptsProps {
  attempts: readonly Attempt[]
  eventId: string
  webhookId: string
  isTest: boolean
}

function Attempts({ attempts, eventId, webhookId, isTest }: AttemptsProps) {
  // The body of a request is the event. For a test, only the headers are stored.
  const canReadEvent = !isTest && can('events:read')
  const event = useResource(canReadEvent ? `event ${eventId}` : null, (signal) =>
    service.events.get(eventId, { signal }),
  )
  const webhook = useResource(`webhook ${webhookId}`, (signal) => service.webhooks.get(webhookId, { signal }))
  if (attempts.length === 0)
    return <Empty title="No attempts yet">Attempts appear here once the delivery is sent.</Empty>
  const body = event.data ? bodyOf(event.data) : null
  return (
    <>
      {attempts.map((attempt) => (
        <Section
          key={attempt.id}
          title={`Attempt ${attempt.number}`}
          actions={
            webhook.data && (
              <CopyButton
                small
                text={curlOf(webhook.data.url, attempt.request_headers, body)}
                label="Copy request as curl"
              />
            )
          }
        >
          <AttemptView attempt={attempt} body={body} />
        </Section>
      ))}
    </>
  )
}

function bodyOf({ id, type, timestamp, data }: ResultOf<'getEvent'>): string {
  return JSON.stringify({ id, type, timestamp, data })
}

function curlOf(url: string, headers: Attempt['request_headers'], body: string | null): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
  return [`curl -X POST ${quote(url)}`, ...lines, ...(body === null ? [] : [`-d ${quote(body)}`])].join(
    ' \\\n  ',
  )
}
