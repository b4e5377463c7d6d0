/** The list of webhooks with their delivery health. */
import type { Page, ResultOf, Webhook } from '@link-service/client'

import { service } from '../../api/client.js'
import { formatExact, formatNumber, formatPercent } from '../../app/format.js'
import { useResource } from '../../app/resource.js'
import type { Resource } from '../../app/resource.js'
import { getQueryParameter, setQuery } from '../../app/router.js'
import { can } from '../../app/session.js'
import { A, NextAttempt, PageHead, Time } from '../../components/basics.js'
import { Pager, usePages } from '../../components/pager.js'
import { Empty, Loaded, RequireScope } from '../../components/states.js'
import { ListControls } from '../../lists/list-controls.js'
import { ordersByCreation, sortRows } from '../../lists/list-order.js'
import { windowSize } from '../../lists/list-view.js'
import type { ListColumn } from '../../lists/list.js'
import { List } from '../../lists/list.js'
import { CreateWebhook } from './create-webhook.js'
import { DeliveryPause, useDeliveryState } from './delivery-pause.js'
import {
  getUrlWithoutScheme,
  getWebhookName,
  getWebhookSeverity,
  isInTrouble,
  LastError,
  WebhookState,
} from './health.js'

const refreshMs = 15_000

export function Webhooks() {
  const canCreate = can('webhooks:write') && can('events:read')
  const webhooks = usePages(
    can('webhooks:read') ? 'webhooks' : null,
    (cursor, signal) => service.webhooks.list({ limit: pageSize }, { signal }).page(cursor),
    { everyMs: refreshMs },
  )
  const deliveryState = useDeliveryState()
  const hasWebhooks = (webhooks.data?.data.length ?? 0) > 0
  return (
    <>
      <PageHead title="Webhooks" lead="Your endpoints that receive events about links and clicks.">
        {windowSize.value !== 'narrow' && hasWebhooks && <ListControls name={listName} columns={columns} />}
        {canCreate && (
          <button
            type="button"
            class="primary"
            data-new=""
            onClick={() => setQuery({ new: '1' }, { replace: true })}
          >
            Create webhook
          </button>
        )}
      </PageHead>
      <DeliveryPause from={deliveryState} />
      <RequireScope scope="webhooks:read">
        <WebhookList webhooks={webhooks} />
      </RequireScope>
      {canCreate && getQueryParameter('new') === '1' && (
        <CreateWebhook onClose={() => setQuery({ new: null }, { replace: true })} />
      )}
    </>
  )
}

/** The page size. Only a list that fits on one page can be sorted, because the API cannot sort webhooks. */
const pageSize = 50

function WebhookList({ webhooks }: { webhooks: Resource<Page<Webhook>> }) {
  return (
    <Loaded from={webhooks} rows={6}>
      {(page) => {
        const isComplete = !page.has_more && getQueryParameter('cursor') === ''
        const shown = isComplete ? columns : columns.map((column) => ({ ...column, orders: [] }))
        return page.data.length === 0 ? (
          <Empty title="No webhooks yet">
            Create a webhook, then send a test to see what your endpoint receives.
          </Empty>
        ) : (
          <>
            {/* In a wider window, the controls are in the head of the page. */}
            {windowSize.value === 'narrow' && <ListControls name={listName} columns={shown} />}
            <List
              name={listName}
              label="Webhooks"
              columns={shown}
              rows={isComplete ? sortRows(page.data, sortValues) : page.data}
              getRowKey={({ id }) => id}
              summary={(webhook) =>
                isInTrouble(webhook) ? <LastError webhook={webhook} isShort /> : getUrlWithoutScheme(webhook)
              }
            />
            <Pager page={page} />
          </>
        )
      }}
    </Loaded>
  )
}

function LastDay({ id }: { id: string }) {
  const stats = useResource(`stats ${id}`, (signal) => service.webhooks.stats(id, { signal }), {
    everyMs: 60_000,
  })
  return stats.data ? <HoursChart hours={stats.data.hours} /> : <div class="spark" />
}

/** One bar per hour, with failed attempts in red. */
export function HoursChart({ hours }: { hours: ResultOf<'getWebhookStats'>['hours'] }) {
  const most = Math.max(1, ...hours.map(({ succeeded, failed }) => succeeded + failed))
  const sum = (field: 'succeeded' | 'failed') => hours.reduce((total, hour) => total + hour[field], 0)
  const label = `${formatNumber(sum('succeeded'))} succeeded and ${formatNumber(sum('failed'))} failed in the last 24 hours`
  return (
    <div class="spark" role="img" aria-label={label} title={label}>
      {hours.map(({ start, succeeded, failed }) => {
        const all = succeeded + failed
        return (
          <i
            key={start}
            class={all === 0 ? 'none' : ''}
            style={{ '--share': String(all / most), '--failed': String(all === 0 ? 0 : failed / all) }}
          />
        )
      })}
    </div>
  )
}

/** A count that stands out if it is not zero. */
function Count({ of: count }: { of: number }) {
  return <span class={count === 0 ? 'muted' : ''}>{formatNumber(count)}</span>
}

const listName = 'webhooks'

const sortValues: Readonly<Record<string, (webhook: Webhook) => string | number | null>> = {
  name: getWebhookName,
  status: getWebhookSeverity,
  success_rate: ({ success_rate_24h: rate }) => rate,
  pending: ({ pending }) => pending,
  held: ({ held }) => held,
  next_attempt: ({ next_attempt_at: at }) => at,
  last_success: ({ last_success_at: at }) => at,
  created_at: ({ created_at: at }) => at,
}

const columns: readonly ListColumn<Webhook>[] = [
  {
    name: 'Webhook',
    orders: [
      ['name', 'Name, A to Z'],
      ['-name', 'Name, Z to A'],
    ],
    title: ({ url, description }) => [description, url].filter(Boolean).join('\n'),
    cell: (webhook) => (
      <>
        <A row to={`/webhooks/${webhook.id}`} class="name">
          {webhook.description || getUrlWithoutScheme(webhook)}
        </A>
        {windowSize.value !== 'narrow' && webhook.description && (
          <span class="second-line cut muted small-text">{getUrlWithoutScheme(webhook)}</span>
        )}
      </>
    ),
  },
  {
    name: 'Status',
    width: 280,
    orders: [
      ['-status', 'Failing first'],
      ['status', 'Active first'],
    ],
    narrowLine: 1,
    title: ({ last_error, failing_since }) =>
      failing_since && last_error
        ? `Failing since ${formatExact(failing_since)}\n${last_error.message}`
        : undefined,
    cell: (webhook) => (
      <>
        <WebhookState webhook={webhook} />
        {windowSize.value !== 'narrow' && (
          <span class="small-text">
            {' '}
            <LastError webhook={webhook} isShort />
          </span>
        )}
      </>
    ),
  },
  {
    name: 'Last 24 hours',
    width: 200,
    orders: [
      ['success_rate', 'Lowest success rate'],
      ['-success_rate', 'Highest success rate'],
    ],
    cell: ({ id, success_rate_24h: rate }) => (
      <div class="last-day">
        <LastDay id={id} />
        <span class={`rate ${rate !== null && rate < 1 ? 'down' : 'muted'}`}>
          {rate === null ? '–' : formatPercent(rate)}
        </span>
      </div>
    ),
  },
  {
    name: 'Pending',
    width: 92,
    isRightAligned: true,
    orders: [['-pending', 'Most pending']],
    cell: ({ pending }) => <Count of={pending} />,
  },
  {
    name: 'Held',
    width: 72,
    isRightAligned: true,
    isWide: true,
    orders: [['-held', 'Most held']],
    cell: ({ held }) => <Count of={held} />,
  },
  {
    name: 'Next attempt',
    width: 134,
    isWide: true,
    orders: [['next_attempt', 'Soonest attempt first']],
    cell: ({ next_attempt_at: at }) => (at ? <NextAttempt at={at} /> : <span class="muted">–</span>),
  },
  {
    name: 'Last success',
    width: 130,
    isWide: true,
    orders: [
      ['-last_success', 'Latest success first'],
      ['last_success', 'Oldest success first'],
    ],
    narrowLine: 2,
    cell: ({ last_success_at: at }) =>
      windowSize.value !== 'narrow' ? (
        <Time at={at} />
      ) : at === null ? (
        'no success yet'
      ) : (
        <>
          last success <Time at={at} />
        </>
      ),
  },
  {
    name: 'Created',
    width: 124,
    orders: ordersByCreation,
    isHiddenAtFirst: true,
    isWide: true,
    cell: ({ created_at: at }) => <Time at={at} />,
  },
]
