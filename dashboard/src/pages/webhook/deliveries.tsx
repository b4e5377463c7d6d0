import type { Delivery, QueryOf } from '@link-service/client'

import { service } from '../../api/service.js'
import { formatMs } from '../../app/format.js'
import { queryOf, setQuery } from '../../app/router.js'
import { A, Badge, Table, Time } from '../../components/basics.js'
import type { Tone } from '../../components/basics.js'
import { Select } from '../../components/form.js'
import { Pager, usePages } from '../../components/pager.js'
import { Empty, Loaded } from '../../components/states.js'
import { useEventTypes } from '../webhooks/event-picker.js'
import { NextAttempt, useCircuit } from './next-attempt.js'

type Filters = QueryOf<'listDeliveries'>

const statuses = ['pending', 'held', 'succeeded', 'failed', 'canceled'] as const

export function Deliveries({ webhookId }: { webhookId: string }) {
  const types = useEventTypes()
  const given = [
    ['status', queryOf('status')],
    ['event', queryOf('event')],
  ].filter(([, value]) => value)
  const filters = Object.fromEntries(given) as Filters
  const deliveries = usePages(
    `deliveries ${webhookId} ${JSON.stringify(filters)}`,
    (cursor, signal) =>
      service.webhooks.deliveries(webhookId, { ...filters, limit: 50 }, { signal }).page(cursor),
    { everyMs: 5_000 },
  )
  const stats = useCircuit(webhookId, deliveries.data?.data.some(isPending) ?? false)
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
              <Table
                label="Deliveries"
                head={[
                  'Event',
                  'Status',
                  'Last answer',
                  { text: 'Took', class: 'num' },
                  { text: 'Attempts', class: 'num' },
                  'Next',
                  'Made',
                ]}
              >
                {page.data.map((delivery) => (
                  <tr key={delivery.id}>
                    <td>
                      <A row to={`/webhooks/${webhookId}/deliveries/${delivery.id}`}>
                        {delivery.event_type}
                      </A>{' '}
                      {delivery.test ? <Badge>test</Badge> : <Sequence of={delivery.sequence} />}
                    </td>
                    <td>
                      <DeliveryState status={delivery.status} />
                    </td>
                    <td>
                      <Answer delivery={delivery} />
                    </td>
                    <td class="num">{formatMs(delivery.last_attempt?.duration_ms ?? null)}</td>
                    <td class="num">{delivery.attempt_count}</td>
                    <td>
                      {delivery.next_attempt_at ? (
                        <NextAttempt at={delivery.next_attempt_at} stats={stats} />
                      ) : (
                        <span class="muted">–</span>
                      )}
                    </td>
                    <td>
                      <Time at={delivery.created_at} />
                    </td>
                  </tr>
                ))}
              </Table>
              <Pager page={page} />
            </>
          )
        }
      </Loaded>
    </>
  )
}

function isPending({ status }: Delivery): boolean {
  return status === 'pending'
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

/** It has one from its first attempt on. */
function Sequence({ of: sequence }: { of: number | null }) {
  return sequence === null ? null : <span class="muted">#{sequence}</span>
}
