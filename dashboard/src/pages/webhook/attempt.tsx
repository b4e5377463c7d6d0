/** One delivery attempt: timings, request and response. */
import type { ComponentChildren } from 'preact'

import { formatMs } from '../../app/format.js'
import { CodeBox } from '../../components/json.js'
import { statusName } from '../webhooks/failures.js'
import { Waterfall } from './waterfall.js'
import type { Attempt } from './waterfall.js'

export function AttemptView({
  attempt,
  url,
  body,
  sameBodyAs = null,
  children,
}: {
  attempt: Attempt
  /** The URL of the request. Null until it is known. */
  url: string | null
  /** The request body. Null if it is shown elsewhere or not known. */
  body: string | null
  /** The number of an attempt that shows the same response body. */
  sameBodyAs?: number | null
  children?: ComponentChildren
}) {
  // The status line shows the status of an error response.
  const message = attempt.error?.class === 'http_status' ? null : (attempt.error?.message ?? null)
  const hasResponse = attempt.status_code !== null
  return (
    <div class="stack">
      {message !== null && <p>{message}</p>}
      <Waterfall attempt={attempt} />
      <div class={hasResponse ? 'columns' : ''}>
        <div class="stack">
          <h3>Request</h3>
          {url !== null && (
            <pre class="http-line" tabIndex={0}>
              POST {url}
            </pre>
          )}
          {body !== null && <CodeBox text={body} />}
          <Headers headers={attempt.request_headers} />
        </div>
        {hasResponse && <Response attempt={attempt} sameAs={sameBodyAs} />}
      </div>
      {!hasResponse && <p class="muted">No response after {formatMs(attempt.duration_ms)}.</p>}
      {children}
    </div>
  )
}

function Response({ attempt, sameAs }: { attempt: Attempt; sameAs: number | null }) {
  const { status_code: code, response_body: body, response_headers: headers, error } = attempt
  return (
    <div class="stack">
      <h3>Response</h3>
      {code !== null && (
        <pre class={`http-line ${error ? 'failed' : 'delivered'}`} tabIndex={0}>
          {statusName(code)}
        </pre>
      )}
      {!body ? (
        <p class="muted">Empty body.</p>
      ) : sameAs === null ? (
        <CodeBox text={body} />
      ) : (
        <p class="muted">Same body as attempt {sameAs}.</p>
      )}
      {attempt.response_truncated && <p class="muted small-text">The response is truncated.</p>}
      {headers && <Headers headers={headers} />}
    </div>
  )
}

/** Collapsed, because the body says more about a failure. */
function Headers({ headers }: { headers: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(headers)
  return (
    <details class="headers">
      <summary>Headers ({entries.length})</summary>
      <pre tabIndex={0}>{entries.map(([name, value]) => `${name}: ${String(value)}`).join('\n')}</pre>
    </details>
  )
}
