/** One event, and whether and why each webhook received it. */
import type { Explanation } from '@link-service/client'

import { service } from '../../api/client.js'
import { useResource } from '../../app/resource.js'
import { can } from '../../app/session.js'
import { A, Badge, CopyButton, PageHead, Section, Time } from '../../components/basics.js'
import type { Tone } from '../../components/basics.js'
import { NextStepButton, NextStepMessage } from '../../components/next-step.js'
import { Records } from '../../components/records.js'
import type { Column } from '../../components/records.js'
import { Sentence } from '../../components/sentence.js'
import { Empty, Loaded, NotFound, RequireScope } from '../../components/states.js'

export function EventPage({ id }: { id: string }) {
  const event = useResource(`event ${id}`, (signal) => service.events.get(id, { signal }))
  return (
    <RequireScope scope="events:read" title="Event">
      <Loaded from={event} title="Event" rows={8} absent={<NotFound what="event" back="/events" />}>
        {({ type, timestamp, data }) => {
          const body = JSON.stringify({ id, type, timestamp, data }, null, 2)
          return (
            <>
              <PageHead
                title={`Event ${type}`}
                lead={
                  <>
                    <Time at={timestamp} />, <code>{id}</code>
                  </>
                }
              />
              <Section title="Webhooks">
                <Explanations id={id} />
              </Section>
              <Section title="Payload" actions={<CopyButton small text={body} />}>
                <pre tabIndex={0}>{body}</pre>
              </Section>
            </>
          )
        }}
      </Loaded>
    </RequireScope>
  )
}

const tones: Partial<Record<Explanation['reason'], Tone>> = {
  delivered: 'good',
  failed: 'bad',
  waiting: 'accent',
  waiting_for_circuit: 'warn',
  paused_by_receiver: 'warn',
  held: 'warn',
}

const maxExplanations = 500

function Explanations({ id }: { id: string }) {
  const explanations = useResource(
    `explain ${id}`,
    (signal) => service.events.explain(id, { limit: 100 }, { signal }).toArray(maxExplanations),
    {
      everyMs: 5_000,
    },
  )
  const webhookUrls = useResource(can('webhooks:read') ? 'webhook URLs' : null, async (signal) => {
    const webhooks = await service.webhooks.list({ limit: 100 }, { signal }).toArray(1_000)
    return Object.fromEntries(webhooks.map((each) => [each.id, each.url]))
  })
  return (
    <Loaded from={explanations}>
      {(data) =>
        data.length === 0 ? (
          <Empty title="No webhooks" />
        ) : (
          <Records
            label="Delivery status by webhook"
            columns={columnsOf(webhookUrls.data ?? {}, explanations.reload)}
            rows={data}
            keyOf={({ webhook_id }) => webhook_id}
          />
        )
      }
    </Loaded>
  )
}

function columnsOf(urls: Readonly<Record<string, string>>, reload: () => void): Column<Explanation>[] {
  return [
    {
      name: 'Webhook',
      cell: ({ webhook_id }) => (
        <A row to={`/webhooks/${webhook_id}`} class="break">
          {urls[webhook_id] ?? webhook_id}
        </A>
      ),
    },
    {
      name: 'Status',
      cell: ({ reason }) => <Badge tone={tones[reason] ?? 'plain'}>{reason.replaceAll('_', ' ')}</Badge>,
    },
    {
      name: 'Reason',
      class: 'sentence',
      cell: ({ sentence, next_step }) => (
        <>
          <Sentence text={sentence} />{' '}
          <span class="muted">
            <NextStepMessage step={next_step} />
          </span>
        </>
      ),
    },
    {
      name: 'Delivery',
      cell: ({ webhook_id, delivery }) =>
        delivery ? (
          <A class="nowrap" to={`/webhooks/${webhook_id}/deliveries/${delivery.id}`}>
            View attempts
          </A>
        ) : (
          <span class="muted">No delivery</span>
        ),
    },
    {
      name: 'Next step',
      cell: ({ next_step }) =>
        next_step.action === 'none' ? (
          <span class="muted">none</span>
        ) : (
          <NextStepButton step={next_step} onDone={reload} small />
        ),
    },
  ]
}
