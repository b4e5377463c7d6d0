import type { ResultOf } from '@link-service/client'

import { service } from '../../api/client.js'
import { formatMs, formatNumber, plural } from '../../app/format.js'
import { useResource } from '../../app/resource.js'
import { A, Section } from '../../components/basics.js'
import { Loaded } from '../../components/states.js'
import { HoursChart } from '../webhooks/webhooks.js'

const parts = ['succeeded', 'pending', 'held', 'failed', 'canceled'] as const

/** The delivery counts by status, each linked to its deliveries, and the attempts of the last day. */
export function Ledger({ id }: { id: string }) {
  const stats = useResource(`stats ${id}`, (signal) => service.webhooks.stats(id, { signal }), {
    everyMs: 5_000,
  })
  const total = stats.data && `${plural(stats.data.emitted, 'delivery', 'deliveries')}, all time`
  return (
    <Section title="Delivery statistics" actions={total && <span class="muted small-text">{total}</span>}>
      <Loaded from={stats} rows={2}>
        {(data) => (
          <div class="ledger">
            <ul class="ledger-counts" aria-label="Deliveries by status">
              {parts.map((part) => (
                <li key={part}>
                  <A to={`/webhooks/${id}?status=${part}`}>
                    <span class="muted">{part}</span>
                    <b class={data[part] === 0 ? 'zero' : part === 'failed' ? 'down' : ''}>
                      {formatNumber(data[part])}
                    </b>
                  </A>
                </li>
              ))}
            </ul>
            <LastDay stats={data} />
          </div>
        )}
      </Loaded>
    </Section>
  )
}

function LastDay({ stats }: { stats: ResultOf<'getWebhookStats'> }) {
  const { hours, latency_ms: latency } = stats
  const sum = (field: 'succeeded' | 'failed') => hours.reduce((total, hour) => total + hour[field], 0)
  const [succeeded, attempts] = [sum('succeeded'), sum('succeeded') + sum('failed')]
  return (
    <div class="ledger-day small-text muted">
      <p>
        {attempts === 0
          ? 'No attempts in the last 24 hours'
          : `${formatNumber(succeeded)} of ${plural(attempts, 'attempt')} succeeded in the last 24 hours`}
      </p>
      <HoursChart hours={hours} />
      <div class="row spread" aria-hidden="true">
        <span>24h ago</span>
        <span>now</span>
      </div>
      {latency.p50 !== null && (
        <p>
          Response time: p50 {formatMs(latency.p50)}, p95 {formatMs(latency.p95)}
        </p>
      )}
    </div>
  )
}
