/** Parses and formats the header `traceparent` of W3C Trace Context (https://www.w3.org/TR/trace-context/). */

/** The position of a span in its trace. */
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
