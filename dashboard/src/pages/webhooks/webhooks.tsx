/** All webhooks: who is well, who is in trouble, and how much waits. */
import type { ResultOf, Webhook } from '@link-service/client'

import { service } from '../../api/service.js'
import { formatNumber, plural } from '../../app/format.js'
import { useResource } from '../../app/resource.js'
import { queryOf, setQuery } from '../../app/router.js'
import { can } from '../../app/session.js'
import { A, Badge, PageHead, Table, Time } from '../../components/basics.js'
import type { Tone } from '../../components/basics.js'
import { Pager, usePages } from '../../components/pager.js'
import { Empty, Loaded, Needs } from '../../components/states.js'
import { CreateWebhook } from './create-webhook.js'

const refreshMs = 15_000

export function Webhooks() {
  const isMaking = queryOf('new') === '1'
  return (
    <>
      <PageHead title="Webhooks" lead="Addresses of yours that hear of links and clicks.">
        {can('webhooks:write') && (
          <button
            type="button"
            class="primary"
            data-new=""
            onClick={() => setQuery({ new: '1' }, { replace: true })}
          >
            New webhook
          </button>
        )}
      </PageHead>
      <Needs scope="webhooks:read">
        <WebhookList />
      </Needs>
      {isMaking && <CreateWebhook onClose={() => setQuery({ new: null }, { replace: true })} />}
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
            Add the address of your program, and press test: you see exactly what it gets.
          </Empty>
        ) : (
          <>
            <Table
              label="Webhooks"
              head={[
                'Address',
                'State',
                'Last 24 hours',
                { text: 'Waiting', class: 'num' },
                { text: 'Held', class: 'num' },
                'Last success',
              ]}
            >
              {page.data.map((webhook) => (
                <tr key={webhook.id}>
                  <td>
                    <A row to={`/webhooks/${webhook.id}`} class="break">
                      {webhook.url}
                    </A>
                    {webhook.description && <div class="muted small-text">{webhook.description}</div>}
                  </td>
                  <td>
                    <WebhookState webhook={webhook} />
                    {webhook.failing_since && (
                      <div class="small-text">
                        since <Time at={webhook.failing_since} />
                      </div>
                    )}
                  </td>
                  <td>
                    <LastDay id={webhook.id} />
                  </td>
                  <td class="num">{formatNumber(webhook.pending)}</td>
                  <td class="num">{formatNumber(webhook.held)}</td>
                  <td>
                    <Time at={webhook.last_success_at} />
                  </td>
                </tr>
              ))}
            </Table>
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

/** One bar an hour, the failed part of it red. Its sentence says the same. */
export function HoursChart({ hours }: { hours: ResultOf<'getWebhookStats'>['hours'] }) {
  const most = Math.max(1, ...hours.map(({ succeeded, failed }) => succeeded + failed))
  const sum = (field: 'succeeded' | 'failed') => hours.reduce((total, hour) => total + hour[field], 0)
  const label = `${plural(sum('succeeded'), 'success', 'successes')} and ${plural(sum('failed'), 'failure')} in 24 hours`
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
