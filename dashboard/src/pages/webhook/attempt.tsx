/** One delivery attempt: timings, request and response. */
import type { ResultOf } from '@link-service/client'
import type { ComponentChildren } from 'preact'

import { formatMs } from '../../app/format.js'
import { Badge, Time } from '../../components/basics.js'

export type Attempt = ResultOf<'getDelivery'>['attempts'][number]

const stages = [
  ['dns_ms', 'DNS lookup'],
  ['connect_ms', 'Connect'],
  ['tls_ms', 'TLS'],
  ['first_byte_ms', 'First byte'],
] as const

interface Stage {
  name: string
  from: number
  ms: number
}

/** Lays out the stages one after the other. Only `first_byte_ms` is measured from the start of the attempt. */
function stagesOf({ timings }: Attempt): { stages: Stage[]; total: number } {
  const laidOut: Stage[] = []
  let at = 0
  for (const [field, name] of stages) {
    const value = timings[field]
    if (value === null) continue
    const ms = field === 'first_byte_ms' ? Math.max(0, value - at) : value
    laidOut.push({ name, from: at, ms })
    at += ms
  }
  const total = Math.max(timings.total_ms ?? at, at)
  if (total > at && laidOut.length > 0) laidOut.push({ name: 'Download', from: at, ms: total - at })
  return { stages: laidOut, total }
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
          {body !== null && <pre tabIndex={0}>{prettyJson(body)}</pre>}
        </div>
        <div class="stack">
          <h3>Response</h3>
          {attempt.response_headers && <pre tabIndex={0}>{headerText(attempt.response_headers)}</pre>}
          {attempt.response_body === null || attempt.response_body === '' ? (
            <p class="muted">{attempt.status_code === null ? 'No response.' : 'Empty body.'}</p>
          ) : (
            <pre tabIndex={0}>{attempt.response_body}</pre>
          )}
          {attempt.response_truncated && <p class="muted small-text">The response is truncated.</p>}
        </div>
      </div>
      {children}
    </div>
  )
}

function Waterfall({ attempt }: { attempt: Attempt }) {
  const { stages: shownStages, total } = stagesOf(attempt)
  if (shownStages.length === 0) return null
  const share = (ms: number) => String(total === 0 ? 0 : ms / total)
  return (
    <table class="waterfall">
      <caption class="hidden-text">Timings</caption>
      <tbody>
        {shownStages.map(({ name, from, ms }) => (
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

/** Indents a JSON body. Any other body is returned unchanged. */
function prettyJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
