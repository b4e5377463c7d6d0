import { readingPlan } from './reading-plan.js'
import type { MadeUntil, Question } from './reading-plan.js'

const at = (text: string) => Date.parse(`${text}${text.includes('T') ? '' : 'T00:00'}Z`)
const range = (start: string, end: string) => ({ start: at(start), end: at(end) })
const never = -Infinity
const ask = (fields: Partial<Question>, made: Partial<MadeUntil> = {}) =>
  readingPlan(
    {
      range: range('2026-01-10', '2026-03-10'),
      buckets: null,
      of: 'workspace',
      dimensions: ['country'],
      ...fields,
    },
    { months: never, sums: never, ...made },
  )

it('whole days are read by the day, and months of links that are put together by the month', () => {
  expect(ask({ of: 'links' })).toMatchObject({
    edges: [],
    segments: [{ ...range('2026-01-10', '2026-03-10'), grain: 'day' }],
    sums: [],
  })
  expect(ask({ of: 'links' }, { months: at('2026-03-01') })).toMatchObject({
    segments: [
      { ...range('2026-01-10', '2026-02-01'), grain: 'day' },
      { ...range('2026-03-01', '2026-03-10'), grain: 'day' },
      { ...range('2026-02-01', '2026-03-01'), grain: 'month' },
    ],
  })
})

it('days of a workspace are read from running sums as far as there are any', () => {
  expect(ask({}, { sums: at('2026-03-09') })).toMatchObject({
    segments: [{ ...range('2026-03-09', '2026-03-10'), grain: 'day' }],
    sums: [
      { day: at('2026-01-09'), sign: -1 },
      { day: at('2026-01-31'), sign: 1 },
      { day: at('2026-02-28'), sign: 1 },
      { day: at('2026-03-08'), sign: 1 },
    ],
  })
  expect(ask({ range: range('2026-02-01', '2026-03-01') }, { sums: at('2026-03-09') })).toMatchObject({
    segments: [],
    sums: [{ day: at('2026-02-28'), sign: 1 }],
  })
})

it('a few days of a workspace are read by the day, and so are the pieces of a series', () => {
  const few = range('2026-01-10', '2026-01-12')
  const made = { sums: at('2026-03-09') }
  expect(ask({ range: few }, made)).toMatchObject({ segments: [{ ...few, grain: 'day' }], sums: [] })
  expect(ask({ buckets: [at('2026-01-10'), at('2026-02-01')] }, made)).toMatchObject({
    segments: [{ ...range('2026-01-10', '2026-03-10'), grain: 'day' }],
    sums: [],
  })
})

it('what is left of days is read by the hour, and what is left of hours from the clicks', () => {
  expect(ask({ range: range('2026-01-10T22:10', '2026-01-12T01:30') })).toEqual({
    kind: 'rolled',
    dimension: 'country',
    inner: range('2026-01-10T23:00', '2026-01-12T01:00'),
    segments: [
      { ...range('2026-01-10T23:00', '2026-01-11'), grain: 'hour' },
      { ...range('2026-01-12', '2026-01-12T01:00'), grain: 'hour' },
      { ...range('2026-01-11', '2026-01-12'), grain: 'day' },
    ],
    sums: [],
    edges: [range('2026-01-10T22:10', '2026-01-10T23:00'), range('2026-01-12T01:00', '2026-01-12T01:30')],
  })
})

it('of links what is left of days is read from the clicks', () => {
  const shifted = range('2026-01-10T23:00', '2026-01-12T23:00')
  expect(ask({ of: 'links', range: shifted })).toMatchObject({
    segments: [{ ...range('2026-01-11', '2026-01-12'), grain: 'day' }],
    edges: [range('2026-01-10T23:00', '2026-01-11'), range('2026-01-12', '2026-01-12T23:00')],
  })
})

it('without a dimension a quarter of an hour is enough', () => {
  const shifted = range('2026-01-10T18:15', '2026-01-12T18:15')
  expect(ask({ dimensions: [], of: 'links', range: shifted })).toMatchObject({
    inner: shifted,
    edges: [],
    segments: [],
  })
})

it.each([
  ['two dimensions', { dimensions: ['country', 'browser'] }],
  ['pieces within an hour', { buckets: [at('2026-01-10'), at('2026-01-10T00:30')] }],
  ['pieces within a day of a link', { of: 'links', buckets: [at('2026-01-10'), at('2026-01-10T01:00')] }],
] satisfies [string, Partial<Question>][])('%s are read from the clicks', (_, fields) => {
  expect(ask(fields)).toEqual({ kind: 'clicks' })
})

it('a range that is shorter than the pieces is read from the clicks', () => {
  const short = range('2026-01-10T22:10', '2026-01-10T22:50')
  expect(ask({ range: short })).toMatchObject({ inner: null, edges: [short] })
})
