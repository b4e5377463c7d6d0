import { formatTraceparent, parseTraceparent, traceparentLength } from './tracer.js'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'

it.each([
  ['01', true],
  ['00', false],
  ['03', true],
  ['fe', false],
])('reads the sampled flag of %s', (flags, isSampled) => {
  expect(parseTraceparent(`00-${traceId}-${spanId}-${flags}`)).toEqual({ traceId, spanId, isSampled })
})

it('reads the known parts of a newer version', () => {
  expect(parseTraceparent(`cc-${traceId}-${spanId}-01-more`)).toEqual({ traceId, spanId, isSampled: true })
})

it.each([
  ['', 'empty'],
  [`00-${traceId}-${spanId}-01-more`, 'too long for version 00'],
  [`00-${traceId}-${spanId}`, 'without flags'],
  [`ff-${traceId}-${spanId}-01`, 'of the forbidden version'],
  [`00-${traceId.toUpperCase()}-${spanId}-01`, 'in upper case'],
  [`00-${'0'.repeat(32)}-${spanId}-01`, 'without a trace ID'],
  [`00-${traceId}-${'0'.repeat(16)}-01`, 'without a span ID'],
  [`00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`, 'sent twice'],
  [` 00-${traceId}-${spanId}-01`, 'with a space before it'],
])('rejects %j, which is %s', (value) => {
  expect(parseTraceparent(value)).toBeNull()
})

it.each([true, false])('formats a position that it can parse, with sampling %s', (isSampled) => {
  const text = formatTraceparent({ traceId, spanId, isSampled })
  expect(text).toHaveLength(traceparentLength)
  expect(parseTraceparent(text)).toEqual({ traceId, spanId, isSampled })
})
