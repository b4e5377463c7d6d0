/** Creates spans with the API of OpenTelemetry. `tracing.ts` has the tracer of this thread. */
import type * as OpenTelemetry from '@opentelemetry/api'
import type { Attributes, Context, Span, SpanContext } from '@opentelemetry/api'

import { version } from './program.js'

type Api = typeof OpenTelemetry

export type { Span }

export interface SpanSpec {
  name: string
  kind: 'SERVER' | 'CLIENT' | 'CONSUMER' | 'INTERNAL'
  attributes?: Attributes
  /** The traceparent of the trace to continue, or null for a new trace. Default: a child of the active span. */
  parent?: string | null
  /** The traceparents of other spans that this one works for. */
  links?: Iterable<string>
  /** Unix time in milliseconds. Default: now. */
  startTime?: number
}

/** The IDs of a span, as fields of a log line. */
export interface SpanIds {
  trace_id: string
  span_id: string
}

/** The default limit of SDKs. */
const maxLinks = 128
const flushTimeoutMs = 2_000

/** Returns null if no SDK is registered, so that the caller can skip all work for traces. */
export function createTracer(api: Api): Tracer | null {
  const tracer = api.trace.getTracer('link-service', version)
  // Without an SDK, spans have no IDs. This span never ends, so it is not exported.
  const probe = tracer.startSpan('startup', {}, api.ROOT_CONTEXT)
  return api.isSpanContextValid(probe.spanContext()) ? new Tracer(api) : null
}

export class Tracer {
  private readonly tracer

  constructor(private readonly api: Api) {
    this.tracer = api.trace.getTracer('link-service', version)
  }

  startSpan({ name, kind, attributes, parent, links, startTime }: SpanSpec): Span {
    const { SpanKind } = this.api
    return this.tracer.startSpan(
      name,
      {
        kind: SpanKind[kind],
        ...(attributes && { attributes }),
        ...(links && { links: this.createLinks(links) }),
        ...(startTime !== undefined && { startTime }),
      },
      this.getParentContext(parent),
    )
  }

  /** Runs the work in a span, and ends the span when the work has ended. */
  async runInSpan<T>(spec: SpanSpec, work: (span: Span) => Promise<T>): Promise<T> {
    const span = this.startSpan(spec)
    try {
      return await this.runWith(span, () => work(span))
    } catch (error) {
      this.markFailed(span, getErrorType(error))
      throw error
    } finally {
      span.end()
    }
  }

  /** Makes the span active: events and spans that are created during the work belong to its trace. */
  runWith<T>(span: Span, work: () => T): T {
    return this.api.context.with(this.api.trace.setSpan(this.api.ROOT_CONTEXT, span), work)
  }

  /** Runs work that the active span did not cause. */
  runDetached<T>(work: () => T): T {
    return this.api.context.with(this.api.ROOT_CONTEXT, work)
  }

  /** The message of an error is not recorded, because it may contain data. */
  markFailed(span: Span, errorType: string): void {
    span.setAttribute('error.type', errorType)
    span.setStatus({ code: this.api.SpanStatusCode.ERROR })
  }

  addLinks(span: Span, traceparents: Iterable<string>): void {
    span.addLinks(this.createLinks(traceparents))
  }

  getTraceparent(span: Span): string {
    const { traceId, spanId, traceFlags } = span.spanContext()
    const isSampled = (traceFlags & this.api.TraceFlags.SAMPLED) !== 0
    return formatTraceparent({ traceId, spanId, isSampled })
  }

  /** Returns the traceparent of the active span, or null if none is active. */
  getActiveTraceparent(): string | null {
    const span = this.api.trace.getActiveSpan()
    return span ? this.getTraceparent(span) : null
  }

  getIds(span: Span): SpanIds {
    const { traceId, spanId } = span.spanContext()
    return { trace_id: traceId, span_id: spanId }
  }

  getActiveIds(): SpanIds | undefined {
    const span = this.api.trace.getActiveSpan()
    return span && this.getIds(span)
  }

  /** Waits until the SDK has exported all ended spans, because the thread ends next. */
  async flush(): Promise<void> {
    const provider = this.api.trace.getTracerProvider()
    const registered = (
      'getDelegate' in provider ? (provider as { getDelegate: () => unknown }).getDelegate() : provider
    ) as { forceFlush?: () => Promise<void> }
    // A collector that does not respond must not delay the shutdown.
    await Promise.race([
      registered.forceFlush?.().catch(() => undefined),
      new Promise((resolve) => setTimeout(resolve, flushTimeoutMs).unref()),
    ])
  }

  private getParentContext(parent: string | null | undefined): Context {
    if (parent === undefined) return this.api.context.active()
    const position = parent === null ? null : parseTraceparent(parent)
    const root = this.api.ROOT_CONTEXT
    return position ? this.api.trace.setSpanContext(root, this.toSpanContext(position)) : root
  }

  private createLinks(traceparents: Iterable<string>): { context: SpanContext }[] {
    const links: { context: SpanContext }[] = []
    for (const traceparent of new Set(traceparents)) {
      if (links.length === maxLinks) break
      const position = parseTraceparent(traceparent)
      // A link to a span that is not recorded has no target.
      if (position?.isSampled) links.push({ context: this.toSpanContext(position) })
    }
    return links
  }

  private toSpanContext({ traceId, spanId, isSampled }: TracePosition): SpanContext {
    const { NONE, SAMPLED } = this.api.TraceFlags
    return { traceId, spanId, traceFlags: isSampled ? SAMPLED : NONE, isRemote: true }
  }
}

function getErrorType(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown'
}

/** The position of a span in its trace, as in the header `traceparent` of W3C Trace Context (https://www.w3.org/TR/trace-context/). */
export interface TracePosition {
  traceId: string
  spanId: string
  /** Whether the span is recorded. */
  isSampled: boolean
}

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const zeros = /^0+$/
const sampledFlag = 1

/** Length of a traceparent in version 00. */
export const traceparentLength = 55

/** Returns null if the value is not valid. For a newer version, reads only the parts of version 00. */
export function parseTraceparent(value: string): TracePosition | null {
  const [, version, traceId, spanId, flags, rest] = pattern.exec(value) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return null
  if (version === 'ff' || (version === '00' && rest !== undefined)) return null
  if (zeros.test(traceId) || zeros.test(spanId)) return null
  return { traceId, spanId, isSampled: (parseInt(flags, 16) & sampledFlag) === sampledFlag }
}

export function formatTraceparent({ traceId, spanId, isSampled }: TracePosition): string {
  return `00-${traceId}-${spanId}-0${isSampled ? sampledFlag : 0}`
}
