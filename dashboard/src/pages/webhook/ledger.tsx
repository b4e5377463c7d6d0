import { service } from '../../api/client.js'
import { formatMs, formatNumber, plural } from '../../app/format.js'
import { useResource } from '../../app/resource.js'
import { Section } from '../../components/basics.js'
import { Loaded } from '../../components/states.js'
import { HoursChart } from '../webhooks/webhooks.js'

const parts = ['succeeded', 'pending', 'held', 'failed', 'canceled'] as const

/** The delivery counts by status, which add up to the emitted deliveries. */
export function Ledger({ id }: { id: string }) {
  const stats = useResource(`stats ${id}`, (signal) => service.webhooks.stats(id, { signal }), {
    everyMs: 5_000,
  })
  return (
    <Section title="Delivery statistics">
      <Loaded from={stats} rows={2}>
        {(data) => (
          <>
            <div class="sum" role="group" aria-label="Deliveries by status">
              <div>
                <b>{formatNumber(data.emitted)}</b>
                <span class="muted">emitted</span>
              </div>
              {parts.map((part, index) => [
                <span key={`${part} sign`} class="sign">
                  {index === 0 ? '=' : '+'}
                </span>,
                <div key={part}>
                  <b class={part === 'failed' && data.failed > 0 ? 'down' : ''}>{formatNumber(data[part])}</b>
                  <span class="muted">{part}</span>
                </div>,
              ])}
            </div>
            <div class="row wrap small-text muted">
              <HoursChart hours={data.hours} />
              <div class="facts-line">
                <span>{plural(data.attempts, 'attempt')} in total</span>
                {data.latency_ms.p50 !== null && (
                  <span>
                    p50 {formatMs(data.latency_ms.p50)}, p95 {formatMs(data.latency_ms.p95)}
                  </span>
                )}
              </div>
            </div>
          </>
        )}
      </Loaded>
    </Section>
  )
}
