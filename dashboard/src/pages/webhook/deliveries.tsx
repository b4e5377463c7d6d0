import type { Delivery, QueryOf, Webhook } from '@link-service/client'

import { service } from '../../api/client.js'
import { isPortal } from '../../app/base.js'
import { capitalize, formatMs, formatNumber } from '../../app/format.js'
import { getQueryParameter, setQuery } from '../../app/router.js'
import { A, Badge, NextAttempt, Time } from '../../components/basics.js'
import type { Tone } from '../../components/basics.js'
import { Select } from '../../components/form.js'
import { Pager, usePages } from '../../components/pager.js'
import { Empty, Loaded } from '../../components/states.js'
import { ListControls } from '../../lists/list-controls.js'
import type { ListColumn } from '../../lists/list.js'
import { List } from '../../lists/list.js'
import { getSubjectName, SubjectLink } from '../events/subject.js'
import { useEventTypes } from '../webhooks/event-picker.js'
import { errorNames, failureName, statusName } from '../webhooks/failures.js'

type DeliveryFilters = QueryOf<'listDeliveries'>

const statuses = ['succeeded', 'pending', 'held', 'failed', 'canceled'] as const

export function Deliveries({ webhook }: { webhook: Webhook }) {
  const webhookId = webhook.id
  const types = useEventTypes()
  const activeFilters = ['status', 'event', 'error_class', 'tried']
    .map((name) => [name, getQueryParameter(name)])
    .filter(([, value]) => value)
  const filters = Object.fromEntries(activeFilters) as DeliveryFilters
  const deliveries = usePages(
    `deliveries ${webhookId} ${JSON.stringify(filters)}`,
    (cursor, signal) =>
      service.webhooks.deliveries(webhookId, { ...filters, limit: 50 }, { signal }).page(cursor),
    { everyMs: 5_000 },
  )
  const columns = createDeliveryColumns(webhook.circuit !== 'closed')
  return (
    <>
      <div class="filters">
        <Select
          label="Status"
          value={getQueryParameter('status')}
          options={[['', 'Any status'], ...statuses.map((each) => [each, capitalize(each)] as const)]}
          onPick={(status) => setQuery({ status })}
        />
        <Select
          label="Event"
          value={getQueryParameter('event')}
          options={[['', 'Any event'], ...(types.data ?? []).map(({ name }) => [name, name] as const)]}
          onPick={(event) => setQuery({ event })}
        />
        <Select
          label="Error"
          value={getQueryParameter('error_class')}
          options={[['', 'Any error'], ...Object.entries(errorNames)]}
          onPick={(error) => setQuery({ error_class: error })}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={getQueryParameter('tried') === 'true'}
            onChange={({ currentTarget }) => setQuery({ tried: currentTarget.checked ? 'true' : null })}
          />
          With attempts
        </label>
        {activeFilters.length > 0 && (
          <button type="button" class="quiet" onClick={clearFilters}>
            Clear filters
          </button>
        )}
        <ListControls name={listName} columns={columns} />
      </div>
      <Loaded from={deliveries} rows={8}>
        {(page) =>
          page.data.length === 0 ? (
            <NoDeliveries isFiltered={activeFilters.length > 0} />
          ) : (
            <>
              <List
                name={listName}
                label="Deliveries"
                columns={columns}
                rows={page.data}
                getRowKey={({ id }) => id}
                summary={(delivery) => (
                  <>
                    {delivery.subject && `${getSubjectName(delivery.subject)}, `}
                    <LastResponse delivery={delivery} />
                  </>
                )}
              />
              <Pager page={page} />
            </>
          )
        }
      </Loaded>
    </>
  )
}

function clearFilters(): void {
  setQuery({ status: null, event: null, error_class: null, tried: null })
}

function NoDeliveries({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered)
    return (
      <Empty title="No deliveries yet">Create a link or send a test event to see its delivery here.</Empty>
    )
  return <Empty title="No deliveries match these filters" />
}

const listName = 'deliveries'

const subjectColumn: ListColumn<Delivery> = {
  name: 'Subject',
  cell: ({ subject }) => (subject ? <SubjectLink subject={subject} /> : <span class="muted">–</span>),
}

/** @param isRecovering Whether new deliveries wait until an attempt succeeds. */
const createDeliveryColumns = (isRecovering: boolean): readonly ListColumn<Delivery>[] => [
  {
    name: 'Event',
    width: 180,
    cell: ({ id, webhook_id, event_type, test }) => (
      <>
        <A row to={`/webhooks/${webhook_id}/deliveries/${id}`}>
          {event_type}
        </A>{' '}
        {test && <Badge>test</Badge>}
      </>
    ),
  },
  // The API does not return the subject in the portal.
  ...(isPortal ? [] : [subjectColumn]),
  { name: 'Status', width: 104, narrowLine: 1, cell: (delivery) => <DeliveryState delivery={delivery} /> },
  { name: 'Last response', cell: (delivery) => <LastResponse delivery={delivery} /> },
  {
    name: 'Attempts',
    width: 86,
    isRightAligned: true,
    isWide: true,
    cell: ({ attempt_count }) => formatNumber(attempt_count),
  },
  {
    name: 'Duration',
    width: 92,
    isRightAligned: true,
    isWide: true,
    cell: ({ last_attempt }) => formatMs(last_attempt?.duration_ms ?? null),
  },
  {
    name: 'Next attempt',
    width: 136,
    isWide: true,
    cell: ({ next_attempt_at: at, attempt_count: attempts }) =>
      at === null ? (
        <span class="muted">–</span>
      ) : isRecovering && attempts === 0 ? (
        <span class="muted" title="Sent after an attempt succeeds">
          after recovery
        </span>
      ) : (
        <NextAttempt at={at} />
      ),
  },
  { name: 'Created', width: 118, narrowLine: 2, cell: ({ created_at }) => <Time at={created_at} /> },
]

const tones: Record<Delivery['status'], Tone> = {
  pending: 'accent',
  held: 'warn',
  succeeded: 'good',
  failed: 'bad',
  canceled: 'plain',
}

/** A pending delivery with a failed attempt is being retried. */
export function DeliveryState({
  delivery: { status, attempt_count: attempts },
}: {
  delivery: Pick<Delivery, 'status' | 'attempt_count'>
}) {
  if (status === 'pending' && attempts > 0) return <Badge tone="warn">retrying</Badge>
  return <Badge tone={tones[status]}>{status}</Badge>
}

function LastResponse({ delivery: { last_attempt } }: { delivery: Delivery }) {
  if (!last_attempt) return <span class="muted">no attempts yet</span>
  const { error, status_code } = last_attempt
  if (!error) return <>{status_code === null ? 'Delivered' : statusName(status_code)}</>
  return (
    <span class="failed" title={error.message}>
      {failureName(error.class, status_code)}
    </span>
  )
}
