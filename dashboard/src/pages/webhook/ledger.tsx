import { service } from '../../api/client.js'
import { formatMs, formatNumber, formatPercent, plural } from '../../app/format.js'
import { useResource } from '../../app/resource.js'
import { NextAttempt, Section } from '../../components/basics.js'
import { Loaded } from '../../components/states.js'
import { HoursChart } from '../webhooks/webhooks.js'

const parts = ['succeeded', 'pending', 'held', 'failed', 'canceled'] as const

/** Each emitted delivery has one of five states now. All numbers are shown, so that people can check their sum. */
export function Ledger({ id }: { id: string }) {
  const stats = useResource(`stats ${id}`, (signal) => service.webhooks.stats(id, { signal }), {
    everyMs: 5_000,
  })
  return (
    <Section title="Ledger">
      <Loaded from={stats} rows={2}>
        {(found) => (
          <>
            <div class="sum" role="group" aria-label="Deliveries by what became of them">
              <div>
                <b>{formatNumber(found.emitted)}</b>
                <span class="muted">emitted</span>
              </div>
              {parts.map((part, index) => [
                <span key={`${part} sign`} class="sign">
                  {index === 0 ? '=' : '+'}
                </span>,
                <div key={part}>
                  <b class={part === 'failed' && found.failed > 0 ? 'down' : ''}>
                    {formatNumber(found[part])}
                  </b>
                  <span class="muted">{part}</span>
                </div>,
              ])}
            </div>
            <div class="row wrap small-text muted">
              <HoursChart hours={found.hours} />
              <div class="facts-line">
                <span>
                  {found.success_rate_24h === null
                    ? 'no attempts'
                    : `${formatPercent(found.success_rate_24h)} succeeded`}{' '}
                  in 24 hours
                </span>
                <span>{plural(found.attempts, 'attempt')} in all</span>
                {found.latency_ms.p50 !== null && (
                  <span>
                    half within {formatMs(found.latency_ms.p50)}, 95 of 100 within{' '}
                    {formatMs(found.latency_ms.p95)}
                  </span>
                )}
                {found.next_attempt_at && (
                  <span>
                    next attempt <NextAttempt at={found.next_attempt_at} />
                  </span>
                )}
              </div>
            </div>
            {found.circuit !== 'closed' && (
              <p class="small-text muted">One attempt at a time, until the receiver answers again.</p>
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}
