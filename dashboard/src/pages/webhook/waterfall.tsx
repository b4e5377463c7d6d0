/** The phases of an attempt as bars on one time axis. A failed phase is red. */
import type { ResultOf } from '@link-service/client'

import { formatMs } from '../../app/format.js'

export type Attempt = ResultOf<'getDelivery'>['attempts'][number]

/** In the order in which they happen. Each timing is the duration of its phase. */
const phases = [
  ['dns', 'dns_ms', 'DNS lookup'],
  ['connect', 'connect_ms', 'Connect'],
  ['tls', 'tls_ms', 'TLS handshake'],
  ['first_byte', 'first_byte_ms', 'Wait for response'],
] as const

interface Bar {
  name: string
  from: number
  ms: number
  hasFailed: boolean
}

function createWaterfallBars({ timings, error, status_code: statusCode }: Attempt): {
  bars: Bar[]
  total: number
} {
  const bars: Bar[] = []
  const total = timings.total_ms ?? 0
  let at = 0
  const addBar = (name: string, ms: number, hasFailed: boolean) => {
    bars.push({ name, from: at, ms, hasFailed })
    at += ms
  }
  for (const [phase, field, name] of phases) {
    const hasFailed = error?.phase === phase
    const ms = timings[field]
    // A phase that was interrupted has no duration. It took the rest of the time.
    if (ms !== null) addBar(name, ms, hasFailed)
    else if (hasFailed) addBar(name, Math.max(0, total - at), true)
  }
  // Without a phase, the response is complete.
  const lastPhase = error?.phase ?? 'body'
  if (statusCode !== null && lastPhase === 'body') addBar('Response', Math.max(0, total - at), error !== null)
  return { bars, total: Math.max(total, at) }
}

export function Waterfall({ attempt }: { attempt: Attempt }) {
  const { bars, total } = createWaterfallBars(attempt)
  // A single bar is useful only if its phase failed.
  if (bars.length < 2 && !attempt.error) return null
  const share = (ms: number) => String(total === 0 ? 0 : ms / total)
  return (
    <table class="waterfall">
      <caption class="hidden-text">Timings</caption>
      <tbody>
        {bars.map(({ name, from, ms, hasFailed }) => (
          <tr key={name} class={hasFailed ? 'failed' : ''}>
            <th scope="row">{name}</th>
            <td class="track">
              <i style={{ '--from': share(from), '--share': share(ms) }} />
            </td>
            <td class="num">{formatMs(ms)}</td>
          </tr>
        ))}
        {/* The durations say the same. */}
        <tr aria-hidden="true">
          <td />
          <td class="track">
            <span class="axis">
              {[0, total / 2, total].map((ms) => (
                <span key={ms}>{formatMs(ms)}</span>
              ))}
            </span>
          </td>
          <td />
        </tr>
      </tbody>
    </table>
  )
}
