/** One event, and for every webhook whether it got it, and why. */
import type { Explanation } from '@link-service/client'

import { service } from '../../api/client.js'
import { useResource } from '../../app/resource.js'
import { can } from '../../app/session.js'
import { A, Badge, CopyButton, PageHead, Section, Time } from '../../components/basics.js'
import type { Tone } from '../../components/basics.js'
import { Records } from '../../components/records.js'
import type { Column } from '../../components/records.js'
import { Sentence } from '../../components/sentence.js'
import { Empty, Loaded, Needs, NotThere } from '../../components/states.js'

export function EventPage({ id }: { id: string }) {
  const event = useResource(`event ${id}`, (signal) => service.events.get(id, { signal }))
  return (
    <Needs scope="events:read" title="Event">
      <Loaded from={event} title="Event" rows={8} absent={<NotThere what="event" back="/events" />}>
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
                <Explained id={id} />
              </Section>
              <Section title="What is sent" actions={<CopyButton small text={body} />}>
                <pre tabIndex={0}>{body}</pre>
              </Section>
            </>
          )
        }}
      </Loaded>
    </Needs>
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

const mostExplained = 500

function Explained({ id }: { id: string }) {
  const all = useResource(
    `explain ${id}`,
    (signal) => service.events.explain(id, { limit: 100 }, { signal }).toArray(mostExplained),
    {
      everyMs: 5_000,
    },
  )
  const webhooks = useResource(can('webhooks:read') ? 'webhook addresses' : null, async (signal) => {
    const all = await service.webhooks.list({ limit: 100 }, { signal }).toArray(1_000)
    return Object.fromEntries(all.map((each) => [each.id, each.url]))
  })
  return (
    <Loaded from={all}>
      {(data) =>
        data.length === 0 ? (
          <Empty title="There are no webhooks" />
        ) : (
          <Records
            label="Event against webhook"
            columns={columnsOf(webhooks.data ?? {})}
            rows={data}
            keyOf={({ webhook_id }) => webhook_id}
          />
        )
      }
    </Loaded>
  )
}

function columnsOf(addresses: Readonly<Record<string, string>>): Column<Explanation>[] {
  return [
    {
      name: 'Webhook',
      cell: ({ webhook_id }) => (
        <A row to={`/webhooks/${webhook_id}`} class="break">
          {addresses[webhook_id] ?? webhook_id}
        </A>
      ),
    },
    {
      name: 'State',
      cell: ({ reason }) => <Badge tone={tones[reason] ?? 'plain'}>{reason.replaceAll('_', ' ')}</Badge>,
    },
    {
      name: 'Why',
      class: 'sentence',
      cell: ({ sentence, next_step }) => (
        <>
          <Sentence text={sentence} /> <span class="muted">{next_step}</span>
        </>
      ),
    },
    {
      name: 'Delivery',
      cell: ({ webhook_id, delivery }) =>
        delivery ? (
          <A to={`/webhooks/${webhook_id}/deliveries/${delivery.id}`}>Attempts</A>
        ) : (
          <span class="muted">none</span>
        ),
    },
  ]
}
