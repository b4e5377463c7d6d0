/** The states of a page without data: loading, empty, failed, or without permission. */
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

/** A placeholder with the size of the chart, so that the layout does not shift. */
export function ChartPlaceholder() {
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
    <Empty title="Your token cannot access this">
      Missing scope:{' '}
      {scopes.map((scope) => (
        <code key={scope}>{scope}</code>
      ))}
      . Sign in with a token that has this scope.
    </Empty>
  )
}

/** Renders its children only if the token has the scope. */
export function RequireScope({
  scope,
  title,
  children,
}: {
  scope: Parameters<typeof can>[0]
  /** The page title to show without the scope, for pages whose title depends on data. */
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
  const isServiceError = error instanceof LinkServiceError
  return (
    <div class="failure" role="alert">
      <p class="empty-title">
        {isServiceError ? error.message : 'This page could not be loaded. Check your connection.'}
      </p>
      {isServiceError && error.requestId && (
        <p class="muted small-text">
          {error.code} · request ID <code>{error.requestId}</code>
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

/** Renders a resource that is loading, failed or loaded. `absent` is shown for a 404. */
export function Loaded<T>({
  from,
  rows,
  placeholder,
  title,
  absent,
  children,
}: {
  from: Resource<T>
  rows?: number
  /** Shown while the resource loads, instead of placeholder rows. */
  placeholder?: ComponentChildren
  /** The page title until the resource is loaded. */
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
          (placeholder ?? <Loading {...(rows === undefined ? {} : { rows })} />)
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

export function NotFound({ what, back }: { what: string; back: string }) {
  return (
    <Empty title={`This ${what} does not exist`}>
      It may have been deleted or belong to another workspace. <A to={back}>Back to the list</A>
    </Empty>
  )
}
