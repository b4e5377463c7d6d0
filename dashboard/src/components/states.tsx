/** What a page shows while there is nothing to show: loading, empty, failed, not allowed. */
import { LinkServiceError, NotFoundError } from '@link-service/client'
import type { ComponentChildren } from 'preact'

import type { Resource } from '../app/resource.js'
import { can, missingScopes } from '../app/session.js'
import { A } from './basics.js'

export function Loading({ rows = 4 }: { rows?: number }) {
  return (
    <div class="loading" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class="bone" />
      ))}
    </div>
  )
}

/** Takes as much room as the chart that comes, so that nothing below it moves. */
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

/** Shows its children to those whose token has the scope. */
export function Needs({
  scope,
  children,
}: {
  scope: Parameters<typeof can>[0]
  children: ComponentChildren
}) {
  return can(scope) ? <>{children}</> : <NotAllowed scopes={[scope]} />
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
 * The three states of a resource. `absent` is shown for a 404: of an object it says that it is not there, of a call that this
 * service does not have it.
 */
export function Loaded<T>({
  from,
  rows,
  waiting,
  absent,
  children,
}: {
  from: Resource<T>
  rows?: number
  /** In place of the rows of something that loads. */
  waiting?: ComponentChildren
  absent?: ComponentChildren
  children: (data: T) => ComponentChildren
}) {
  if (from.error !== null && absent && from.error instanceof NotFoundError) return <>{absent}</>
  if (from.data === null && from.error !== null) return <Failure error={from.error} onRetry={from.reload} />
  if (from.data === null && waiting) return <>{waiting}</>
  if (from.data === null) return <Loading {...(rows === undefined ? {} : { rows })} />
  return (
    <>
      {from.error !== null && <Failure error={from.error} onRetry={from.reload} />}
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
