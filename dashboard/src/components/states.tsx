/** What a page shows while it has no data: loading, empty, failed, not allowed. */
import { LinkServiceError, NotFoundError } from '@link-service/client'
import type { ComponentChildren } from 'preact'

import { retryFailed } from '../app/resource.js'
import type { Resource } from '../app/resource.js'
import { can, missingScopes } from '../app/session.js'
import { A, PageHead } from './basics.js'

export function Loading({ rows = 4 }: { rows?: number }) {
  return (
    <div class="loading" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class="bone" />
      ))}
    </div>
  )
}

/** A placeholder as large as the chart, so that nothing below it moves when that comes. */
export function ChartPlace() {
  return <div class="bone chart-place" role="status" aria-label="Loading" />
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children && <div class="muted">{children}</div>}
    </div>
  )
}

export function NotAllowed({ scopes }: { scopes: readonly string[] }) {
  return (
    <Empty title="Your token may not see this">
      It lacks{' '}
      {scopes.map((scope) => (
        <code key={scope}>{scope}</code>
      ))}
      . Sign in with a token that has it, or ask who made yours: a scope is given when a token is made.
    </Empty>
  )
}

/** Shows its children only if the token has the scope. */
export function Needs({
  scope,
  title,
  children,
}: {
  scope: Parameters<typeof can>[0]
  /** The title to show if the page takes its own title from what the token may not see. */
  title?: string
  children: ComponentChildren
}) {
  if (can(scope)) return <>{children}</>
  return (
    <>
      {title !== undefined && <PageHead title={title} />}
      <NotAllowed scopes={[scope]} />
    </>
  )
}

export function Failure({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const missing = missingScopes(error)
  if (missing) return <NotAllowed scopes={missing} />
  const isKnown = error instanceof LinkServiceError
  return (
    <div class="failure" role="alert">
      <p class="empty-title">{isKnown ? error.message : 'This page has failed.'}</p>
      {isKnown && error.requestId && (
        <p class="muted small-text">
          {error.code} · request <code>{error.requestId}</code>
        </p>
      )}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

/**
 * The three states of a resource. `absent` is shown for a 404, which means that an object does not exist, or that this
 * service does not have the call.
 */
export function Loaded<T>({
  from,
  rows,
  waiting,
  title,
  absent,
  children,
}: {
  from: Resource<T>
  rows?: number
  /** What is shown while the resource loads, in place of rows. */
  waiting?: ComponentChildren
  /** The title to show until the page has read its own title. */
  title?: string
  absent?: ComponentChildren
  children: (data: T) => ComponentChildren
}) {
  const head = title === undefined ? null : <PageHead title={title} />
  const isAbsent = from.error instanceof NotFoundError && absent !== undefined
  if (isAbsent || from.data === null)
    return (
      <>
        {head}
        {isAbsent ? (
          absent
        ) : from.error !== null ? (
          <Failure error={from.error} onRetry={retryFailed} />
        ) : (
          (waiting ?? <Loading {...(rows === undefined ? {} : { rows })} />)
        )}
      </>
    )
  return (
    <>
      {from.error !== null && <Failure error={from.error} onRetry={retryFailed} />}
      {children(from.data)}
    </>
  )
}

export function NotThere({ what, back }: { what: string; back: string }) {
  return (
    <Empty title={`There is no such ${what}`}>
      It may have been deleted, or it belongs to another workspace. <A to={back}>Back to the list</A>
    </Empty>
  )
}

export function NotOffered({ what }: { what: string }) {
  return (
    <Empty title={`This service does not offer ${what}`}>
      Its version is older than this page. Update the service to see it here.
    </Empty>
  )
}
