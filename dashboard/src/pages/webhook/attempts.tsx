/** The attempts of a delivery, newest first. Each takes one line and expands. */
import type { ResultOf } from '@link-service/client'

import { service } from '../../api/client.js'
import { formatMs } from '../../app/format.js'
import { useResource } from '../../app/resource.js'
import { can } from '../../app/session.js'
import { CopyButton, Section, Time } from '../../components/basics.js'
import { CodeBox } from '../../components/json.js'
import { Empty } from '../../components/states.js'
import { failureName, statusName } from '../webhooks/failures.js'
import { AttemptView } from './attempt.js'
import type { Attempt } from './waterfall.js'

interface AttemptsProps {
  /** Newest first. */
  attempts: readonly Attempt[]
  eventId: string
  /** The URL of the webhook. Null until it is known. */
  url: string | null
  isTest: boolean
}

export function Attempts({ attempts, eventId, url, isTest }: AttemptsProps) {
  // The body of a request is the event. For a test, only the headers are stored.
  const canReadEvent = !isTest && can('events:read')
  const event = useResource(canReadEvent ? `event ${eventId}` : null, (signal) =>
    service.events.get(eventId, { signal }),
  )
  const body = event.data ? formatEventBody(event.data) : null
  return (
    <>
      <Section title="Attempts">
        {attempts.length === 0 ? (
          <Empty title="No attempts yet">Attempts appear here once the delivery is sent.</Empty>
        ) : (
          <div class="attempts">
            {attempts.map((attempt, index) => (
              <details key={attempt.id} open={index === 0}>
                <summary>
                  <AttemptLine attempt={attempt} />
                </summary>
                <AttemptView
                  attempt={attempt}
                  url={url}
                  body={null}
                  sameBodyAs={sameBodyAs(attempt, attempts)}
                >
                  {url !== null && (
                    <div class="row">
                      <CopyButton
                        small
                        text={formatCurlCommand(url, attempt.request_headers, body)}
                        label="Copy request as curl"
                      />
                    </div>
                  )}
                </AttemptView>
              </details>
            ))}
          </div>
        )}
      </Section>
      {body !== null && (
        <Section
          title="Request body"
          actions={
            <>
              <span class="muted small-text wide-only">The same for every attempt</span>
              <CopyButton small text={body} />
            </>
          }
        >
          <CodeBox text={body} />
        </Section>
      )}
    </>
  )
}

function AttemptLine({ attempt }: { attempt: Attempt }) {
  const { number, error, status_code, duration_ms, timings, started_at, remote_address } = attempt
  return (
    <span class="attempt-line">
      <b>Attempt {number}</b>
      <span class={error ? 'failed' : 'delivered'}>
        {error
          ? failureName(error.class, status_code)
          : status_code === null
            ? 'Delivered'
            : statusName(status_code)}
      </span>
      <span class="muted wide-only">{remote_address}</span>
      <span class="num">{formatMs(timings.total_ms ?? duration_ms)}</span>
      <span class="num muted">
        <Time at={started_at} />
      </span>
    </span>
  )
}

/** Returns the number of the newest attempt with the same response body, or null if this is the newest. */
function sameBodyAs(
  { number, response_body: body }: Attempt,
  newestFirst: readonly Attempt[],
): number | null {
  if (!body) return null
  const newest = newestFirst.find((each) => each.response_body === body)
  return newest === undefined || newest.number === number ? null : newest.number
}

function formatEventBody({ id, type, timestamp, data }: ResultOf<'getEvent'>): string {
  return JSON.stringify({ id, type, timestamp, data })
}

function formatCurlCommand(url: string, headers: Attempt['request_headers'], body: string | null): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
  return [`curl -X POST ${quote(url)}`, ...lines, ...(body === null ? [] : [`-d ${quote(body)}`])].join(
    ' \\\n  ',
  )
}
