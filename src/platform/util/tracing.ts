/**
 * The tracer of this thread. Null unless an SDK of OpenTelemetry was loaded before the service: only then is the API
 * loaded, which takes 20 ms.
 */
import { createTracer } from './tracer.js'
import type { Span, SpanSpec, Tracer } from './tracer.js'

export const tracer: Tracer | null = hasPreloads() ? createTracer(await import('@opentelemetry/api')) : null

/** Whether Node.js loads modules before the program, as an SDK requires. Threads inherit the options. */
function hasPreloads(): boolean {
  const options = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/)]
  return options.some((option) => /^(?:--import|--require|-r)(?:=|$)/.test(option))
}

/** Runs the work in a span if traces are on. `describe` is called only then. */
export function runTraced<T>(describe: () => SpanSpec, work: (span: Span | null) => Promise<T>): Promise<T> {
  return tracer === null ? work(null) : tracer.runInSpan(describe(), work)
}

/** Runs work that the active span did not cause. */
export function runDetached<T>(work: () => T): T {
  return tracer === null ? work() : tracer.runDetached(work)
}

/** Returns the traceparent to store with what the active span creates. */
export function getActiveTraceparent(): string | null {
  return tracer === null ? null : tracer.getActiveTraceparent()
}
