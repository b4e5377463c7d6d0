import type { Delivery, QueryOf } from '@link-service/client'

import { service } from '../../api/client.js'
import { formatMs, formatNumber } from '../../app/format.js'
import { queryOf, setQuery } from '../../app/router.js'
import { A, Badge, NextAttempt, Time } from '../../components/basics.js'
import type { Tone } from '../../components/basics.js'
import { Select } from '../../components/form.js'
import { Pager, usePages } from '../../components/pager.js'
import { Records } from '../../components/records.js'
import type { Column } from '../../components/records.js'
import { Empty, Loaded } from '../../components/states.js'
import { useEventTypes } from '../webhooks/event-picker.js'

type DeliveryFilters = QueryOf<'listDeliveries'>

const statuses = ['pending', 'held', 'succeeded', 'failed', 'canceled'] as const

export function Deliveries({ webhookId }: { webhookId: string }) {
  const types = useEventTypes()
  const given = [
    ['status', queryOf('status')],
    ['event', queryOf('event')],
  ].filter(([, value]) => value)
  const filters = Object.fromEntries(given) as DeliveryFilters
  const deliveries = usePages(
    `deliveries ${webhookId} ${JSON.stringify(filters)}`,
    (cursor, signal) =>
      service.webhooks.deliveries(webhookId, { ...filters, limit: 50 }, { signal }).page(cursor),
    { everyMs: 5_000 },
  )
  return (
    <>
      <div class="filters">
        <Select
          label="Status"
          value={queryOf('status')}
          options={[['', 'Any status'], ...statuses.map((each) => [each, each] as const)]}
          onPick={(status) => setQuery({ status })}
        />
        <Select
          label="Event"
          value={queryOf('event')}
          options={[['', 'Any event'], ...(types.data ?? []).map(({ name }) => [name, name] as const)]}
          onPick={(event) => setQuery({ event })}
        />
      </div>
      <Loaded from={deliveries} rows={8}>
        {(page) =>
          page.data.length === 0 ? (
            <Empty title={given.length === 0 ? 'Nothing was sent yet' : 'No delivery is like that'}>
              Make a link, or send a test: each delivery is listed here with all its attempts.
            </Empty>
          ) : (
            <>
              <Records
                label="Deliveries"
                columns={columnsOf(webhookId)}
                rows={page.data}
                keyOf={({ id }) => id}
              />
              <Pager page={page} />
            </>
          )
        }
      </Loaded>
    </>
  )
}

function columnsOf(webhookId: string): Column<Delivery>[] {
  return [
    {
      name: 'Event',
      cell: ({ id, event_type, test, sequence }) => (
        <>
          <A row to={`/webhooks/${webhookId}/deliveries/${id}`}>
            {event_type}
          </A>{' '}
          {test ? <Badge>test</Badge> : <Sequence of={sequence} />}
        </>
      ),
    },
    { name: 'Status', cell: ({ status }) => <DeliveryState status={status} /> },
    { name: 'Last answer', cell: (delivery) => <Answer delivery={delivery} /> },
    {
      name: 'Took',
      isNumber: true,
      cell: ({ last_attempt }) => formatMs(last_attempt?.duration_ms ?? null),
    },
    { name: 'Attempts', isNumber: true, cell: ({ attempt_count }) => formatNumber(attempt_count) },
    {
      name: 'Next',
      cell: ({ next_attempt_at: at }) => (at ? <NextAttempt at={at} /> : <span class="muted">–</span>),
    },
    { name: 'Made', cell: ({ created_at }) => <Time at={created_at} /> },
  ]
}

const tones: Record<Delivery['status'], Tone> = {
  pending: 'accent',
  held: 'warn',
  succeeded: 'good',
  failed: 'bad',
  canceled: 'plain',
}

export function DeliveryState({ status }: { status: Delivery['status'] }) {
  return <Badge tone={tones[status]}>{status}</Badge>
}

function Answer({ delivery: { last_attempt } }: { delivery: Delivery }) {
  if (!last_attempt) return <span class="muted">none yet</span>
  const { error, status_code } = last_attempt
  return (
    <span class="clip" title={error?.message}>
      {status_code ?? error?.class}
      {error && <span class="muted"> {error.message}</span>}
    </span>
  )
}

/** A delivery has a sequence number from its first attempt on. */
function Sequence({ of: sequence }: { of: number | null }) {
  return sequence === null ? null : <span class="muted">#{sequence}</span>
}
