/** The span of a claim, which links to the traces of the claimed events. */
import type { Span, SpanSpec } from '../platform/util/tracer.js'
import { tracer } from '../platform/util/tracing.js'
import type { DueRequest } from './due-request.js'

/** A claim serves many lanes, so it belongs to no trace of a request. */
export function describeClaim(kind: 'immediate' | 'ordered' | 'batch'): SpanSpec {
  const attributes = { 'link_service.claim': kind }
  return { name: 'claim deliveries', kind: 'CONSUMER', parent: null, attributes }
}

export function recordClaim(span: Span | null, requests: readonly DueRequest[]): void {
  if (span === null || tracer === null) return
  span.setAttribute('link_service.requests', requests.length)
  tracer.addLinks(
    span,
    requests.flatMap(({ traceparents }) => traceparents),
  )
}
