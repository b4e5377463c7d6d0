/** The list of webhooks with their delivery health. */
import type { ResultOf, Webhook } from '@link-service/client'

import { service } from '../../api/client.js'
import { formatNumber, formatPercent } from '../../app/format.js'
import { useResource } from '../../app/resource.js'
import { queryOf, setQuery } from '../../app/router.js'
import { can } from '../../app/session.js'
import { A, NextAttempt, PageHead, Time } from '../../components/basics.js'
import { Pager, usePages } from '../../components/pager.js'
import { Records } from '../../components/records.js'
import type { Column } from '../../components/records.js'
import { Empty, Loaded, RequireScope } from '../../components/states.js'
import { CreateWebhook } from './create-webhook.js'
import { LastError, WebhookState } from './health.js'

const refreshMs = 15_000

export function Webhooks() {
  const isCreating = queryOf('new') === '1'
  return (
    <>
      <PageHead title="Webhooks" lead="Your endpoints that receive events about links and clicks.">
        {can('webhooks:write') && (
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
      <RequireScope scope="webhooks:read">
        <WebhookList />
      </RequireScope>
      {isCreating && <CreateWebhook onClose={() => setQuery({ new: null }, { replace: true })} />}
    </>
  )
}

function WebhookList() {
  const webhooks = usePages(
    'webhooks',
    (cursor, signal) => service.webhooks.list({ limit: 25 }, { signal }).page(cursor),
    { everyMs: refreshMs },
  )
  return (
    <Loaded from={webhooks} rows={6}>
      {(page) =>
        page.data.length === 0 ? (
          <Empty title="No webhooks yet">
            Create a webhook, then send a test to see exactly what your endpoint receives.
          </Empty>
        ) : (
          <>
            <Records label="Webhooks" columns={columns} rows={page.data} keyOf={({ id }) => id} />
            <Pager page={page} />
          </>
        )
      }
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

const columns: readonly Column<Webhook>[] = [
  {
    name: 'Endpoint',
    cell: (webhook) => (
      <>
        <A row to={`/webhooks/${webhook.id}`} class="break">
          {webhook.url}
        </A>
        {webhook.description && <div class="muted small-text">{webhook.description}</div>}
        <div class="small-text">
          <LastError webhook={webhook} />
        </div>
      </>
    ),
  },
  {
    name: 'Status',
    cell: (webhook) => (
      <>
        <WebhookState webhook={webhook} />
        {webhook.failing_since && (
          <div class="small-text muted">
            since <Time at={webhook.failing_since} />
          </div>
        )}
      </>
    ),
  },
  {
    name: 'Last 24 hours',
    cell: ({ id, success_rate_24h: rate }) => (
      <div class="last-day">
        <LastDay id={id} />
        <span class={`rate ${rate !== null && rate < 1 ? 'down' : 'muted'}`}>
          {rate === null ? '–' : formatPercent(rate)}
        </span>
      </div>
    ),
  },
  { name: 'Pending', isNumber: true, cell: ({ pending }) => formatNumber(pending) },
  { name: 'Held', isNumber: true, cell: ({ held }) => formatNumber(held) },
  {
    name: 'Next attempt',
    cell: ({ next_attempt_at: at }) => (at ? <NextAttempt at={at} /> : <span class="muted">–</span>),
  },
  { name: 'Last success', cell: ({ last_success_at }) => <Time at={last_success_at} /> },
]
