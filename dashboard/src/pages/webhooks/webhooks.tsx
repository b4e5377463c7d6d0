/** The list of webhooks with their delivery health. */
import type { ResultOf, Webhook } from '@link-service/client'

import { service } from '../../api/client.js'
import { formatNumber } from '../../app/format.js'
import { useResource } from '../../app/resource.js'
import { queryOf, setQuery } from '../../app/router.js'
import { can } from '../../app/session.js'
import { A, Badge, PageHead, Time } from '../../components/basics.js'
import type { Tone } from '../../components/basics.js'
import { Pager, usePages } from '../../components/pager.js'
import { Records } from '../../components/records.js'
import type { Column } from '../../components/records.js'
import { Empty, Loaded, RequireScope } from '../../components/states.js'
import { CreateWebhook } from './create-webhook.js'

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

export function WebhookState({ webhook: { status, failing_since } }: { webhook: Webhook }) {
  const [tone, text]: [Tone, string] =
    status === 'active'
      ? failing_since === null
        ? ['good', 'active']
        : ['bad', 'failing']
      : [stateTones[status], status]
  return <Badge tone={tone}>{text}</Badge>
}
const stateTones = { paused: 'warn', disabled: 'bad' } as const

function LastDay({ id }: { id: string }) {
  const stats = useResource(`stats ${id}`, (signal) => service.webhooks.stats(id, { signal }), {
    everyMs: 60_000,
  })
  return stats.data ? <HoursChart hours={stats.data.hours} /> : <span class="muted">–</span>
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
    cell: ({ id, url, description }) => (
      <>
        <A row to={`/webhooks/${id}`} class="break">
          {url}
        </A>
        {description && <div class="muted small-text">{description}</div>}
      </>
    ),
  },
  {
    name: 'Status',
    cell: (webhook) => (
      <>
        <WebhookState webhook={webhook} />
        {webhook.failing_since && (
          <div class="small-text">
            since <Time at={webhook.failing_since} />
          </div>
        )}
      </>
    ),
  },
  { name: 'Last 24 hours', cell: ({ id }) => <LastDay id={id} /> },
  { name: 'Pending', isNumber: true, cell: ({ pending }) => formatNumber(pending) },
  { name: 'Held', isNumber: true, cell: ({ held }) => formatNumber(held) },
  { name: 'Last success', cell: ({ last_success_at }) => <Time at={last_success_at} /> },
]
