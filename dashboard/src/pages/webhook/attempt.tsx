/** One attempt: where its time went, and the exact request and answer. */
import type { ResultOf } from '@link-service/client'
import type { ComponentChildren } from 'preact'

import { formatMs } from '../../app/format.js'
import { Badge, Time } from '../../components/basics.js'

export type Attempt = ResultOf<'getDelivery'>['attempts'][number]

const stages = [
  ['dns_ms', 'Look-up'],
  ['connect_ms', 'Connect'],
  ['tls_ms', 'TLS'],
  ['first_byte_ms', 'First byte'],
] as const

interface Stage {
  name: string
  from: number
  ms: number
}

/** Each stage begins where the one before ended. Only the first byte is timed from the beginning of the attempt. */
function stagesOf({ timings }: Attempt): { stages: Stage[]; total: number } {
  const found: Stage[] = []
  let at = 0
  for (const [field, name] of stages) {
    const value = timings[field]
    if (value === null) continue
    const ms = field === 'first_byte_ms' ? Math.max(0, value - at) : value
    found.push({ name, from: at, ms })
    at += ms
  }
  const total = Math.max(timings.total_ms ?? at, at)
  if (total > at && found.length > 0) found.push({ name: 'Rest of the answer', from: at, ms: total - at })
  return { stages: found, total }
}

export function AttemptView({
  attempt,
  body,
  children,
}: {
  attempt: Attempt
  body: string | null
  children?: ComponentChildren
}) {
  return (
    <div class="stack">
      <div class="row wrap">
        {attempt.error ? (
          <Badge tone="bad">{attempt.error.class}</Badge>
        ) : (
          <Badge tone="good">delivered</Badge>
        )}
        {attempt.status_code !== null && <b>{attempt.status_code}</b>}
        <span class="muted">
          <Time at={attempt.started_at} />
          {attempt.remote_address !== null && `, ${attempt.remote_address}`}, took{' '}
          {formatMs(attempt.duration_ms)}
        </span>
      </div>
      {attempt.error && <p>{attempt.error.message}</p>}
      <Waterfall attempt={attempt} />
      <div class="columns">
        <div class="stack">
          <h3>Request</h3>
          <pre tabIndex={0}>{headerText(attempt.request_headers)}</pre>
          {body !== null && <pre tabIndex={0}>{pretty(body)}</pre>}
        </div>
        <div class="stack">
          <h3>Answer</h3>
          {attempt.response_headers && <pre tabIndex={0}>{headerText(attempt.response_headers)}</pre>}
          {attempt.response_body === null || attempt.response_body === '' ? (
            <p class="muted">{attempt.status_code === null ? 'There was no answer.' : 'Without a body.'}</p>
          ) : (
            <pre tabIndex={0}>{attempt.response_body}</pre>
          )}
          {attempt.response_truncated && <p class="muted small-text">The rest was not kept.</p>}
        </div>
      </div>
      {children}
    </div>
  )
}

function Waterfall({ attempt }: { attempt: Attempt }) {
  const { stages: found, total } = stagesOf(attempt)
  if (found.length === 0) return null
  const share = (ms: number) => String(total === 0 ? 0 : ms / total)
  return (
    <table class="waterfall">
      <caption class="hidden-text">Where the time went</caption>
      <tbody>
        {found.map(({ name, from, ms }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="track">
              <i style={{ '--from': share(from), '--share': share(ms) }} />
            </td>
            <td class="num">{formatMs(ms)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function headerText(headers: Readonly<Record<string, unknown>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n')
}

/** A body is JSON of this service. Anything else is shown as it is. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
