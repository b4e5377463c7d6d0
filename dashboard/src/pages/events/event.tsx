/** One event, and whether and why each webhook received it. */
import type { Explanation, Webhook } from '@link-service/client'

import { service } from '../../api/client.js'
import { useResource } from '../../app/resource.js'
import { can } from '../../app/session.js'
import { A, Badge, CopyButton, Moment, PageHead, Section } from '../../components/basics.js'
import type { Tone } from '../../components/basics.js'
import { CodeBox } from '../../components/json.js'
import { NextStepButton, NextStepMessage } from '../../components/next-step.js'
import { Records } from '../../components/records.js'
import type { Column } from '../../components/records.js'
import { Sentence } from '../../components/sentence.js'
import { Empty, Loaded, NotFound, RequireScope } from '../../components/states.js'
import { DeliveryState } from '../webhook/deliveries.js'
import { getUrlWithoutScheme } from '../webhooks/health.js'
import { SubjectLink, getEventSubject } from './subject.js'

export function EventPage({ id }: { id: string }) {
  const event = useResource(`event ${id}`, (signal) => service.events.get(id, { signal }))
  return (
    <RequireScope scope="events:read" title="Event">
      <Loaded from={event} title="Event" rows={8} absent={<NotFound what="event" back="/events" />}>
        {({ type, timestamp, data }) => {
          const body = JSON.stringify({ id, type, timestamp, data }, null, 2)
          const subject = getEventSubject(data)
          return (
            <>
              <PageHead
                title={type}
                isCode
                up={[['/events', 'Events']]}
                lead={
                  <div class="facts-line">
                    {subject && (
                      <span>
                        <SubjectLink subject={subject} />
                      </span>
                    )}
                    <span>
                      <Moment at={timestamp} />
                    </span>
                    <span class="row">
                      <code>{id}</code>
                      <CopyButton isIcon text={id} label="Copy ID" />
                    </span>
                  </div>
                }
              />
              <Section title="Webhooks">
                <Explanations id={id} type={type} />
              </Section>
              <Section title="Request body" actions={<CopyButton small text={body} />}>
                <CodeBox text={body} />
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

function Explanations({ id, type }: { id: string; type: string }) {
  const explanations = useResource(
    `explain ${id}`,
    (signal) => service.events.explain(id, { limit: 100 }, { signal }).toArray(maxExplanations),
    {
      everyMs: 5_000,
    },
  )
  const webhooks = useResource(can('webhooks:read') ? 'webhooks by ID' : null, async (signal) => {
    const all = await service.webhooks.list({ limit: 100 }, { signal }).toArray(1_000)
    return Object.fromEntries(all.map((each) => [each.id, each]))
  })
  return (
    <Loaded from={explanations}>
      {(data) =>
        data.length === 0 ? (
          <Empty title={`No webhook subscribes to ${type}`}>
            {can('webhooks:write') && <A to="/webhooks?new=1">Create webhook</A>}
          </Empty>
        ) : (
          <Records
            label="Delivery status by webhook"
            columns={createExplanationColumns(webhooks.data ?? {}, explanations.reload)}
            rows={data}
            getRowKey={({ webhook_id }) => webhook_id}
          />
        )
      }
    </Loaded>
  )
}

function createExplanationColumns(
  webhooks: Readonly<Record<string, Webhook>>,
  reload: () => void,
): Column<Explanation>[] {
  return [
    {
      name: 'Webhook',
      cell: ({ webhook_id: id }) => {
        const { url, description } = webhooks[id] ?? { url: id, description: null }
        return (
          <>
            <A row to={`/webhooks/${id}`} class="clip">
              {description || url}
            </A>
            {description && (
              <span class="clip muted small-text" title={url}>
                {getUrlWithoutScheme({ url })}
              </span>
            )}
          </>
        )
      },
    },
    {
      name: 'Status',
      cell: ({ reason, delivery, webhook_id }) =>
        delivery ? (
          <A to={`/webhooks/${webhook_id}/deliveries/${delivery.id}`} title="View delivery">
            <DeliveryState delivery={delivery} />
          </A>
        ) : (
          <Badge tone={tones[reason] ?? 'plain'}>{reason.replaceAll('_', ' ')}</Badge>
        ),
    },
    {
      name: 'Reason',
      class: 'sentence',
      cell: ({ sentence, next_step, delivery }) => (
        <>
          <Sentence text={sentence} />{' '}
          {delivery?.status !== 'succeeded' && (
            <span class="muted">
              <NextStepMessage step={next_step} />
            </span>
          )}
        </>
      ),
    },
    {
      name: 'Next step',
      isUntitled: true,
      class: 'num',
      cell: ({ next_step }) => (
        <div class="row next-step">
          <NextStepButton step={next_step} onDone={reload} small />
        </div>
      ),
    },
  ]
}
