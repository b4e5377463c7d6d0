/** One delivery attempt: timings, request and response. */
import type { ComponentChildren } from 'preact'

import { Waterfall } from './waterfall.js'
import type { Attempt } from './waterfall.js'

export function AttemptView({
  attempt,
  body,
  sameBodyAs = null,
  children,
}: {
  attempt: Attempt
  /** The request body. Null if it is shown elsewhere or not known. */
  body: string | null
  /** The number of an attempt that shows the same response body. */
  sameBodyAs?: number | null
  children?: ComponentChildren
}) {
  // The summary line already shows the status of an error response.
  const message = attempt.error?.class === 'http_status' ? null : (attempt.error?.message ?? null)
  return (
    <div class="stack">
      {message !== null && <p>{message}</p>}
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
          <ResponseBody attempt={attempt} sameAs={sameBodyAs} />
          {attempt.response_truncated && <p class="muted small-text">The response is truncated.</p>}
        </div>
      </div>
      {children}
    </div>
  )
}

function ResponseBody({ attempt, sameAs }: { attempt: Attempt; sameAs: number | null }) {
  if (!attempt.response_body)
    return <p class="muted">{attempt.status_code === null ? 'No response.' : 'Empty body.'}</p>
  if (sameAs !== null) return <p class="muted">Same body as attempt {sameAs}.</p>
  return <pre tabIndex={0}>{prettyJson(attempt.response_body)}</pre>
}

function headerText(headers: Readonly<Record<string, unknown>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n')
}

/** Indents a JSON body. Any other body is returned unchanged. */
export function prettyJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
