import { createReadingPlan } from './reading-plan.js'
import type { PlanInput } from './reading-plan.js'

const at = (text: string) => Date.parse(`${text}${text.includes('T') ? '' : 'T00:00'}Z`)
const range = (start: string, end: string) => ({ start: at(start), end: at(end) })
const plan = (fields: Partial<PlanInput>, now = '2030-01-01') =>
  createReadingPlan(
    {
      range: range('2026-01-10', '2026-01-12'),
      buckets: null,
      countsOf: 'workspace',
      dimensions: ['country'],
      truncatedDays: [],
      countedUntil: Infinity,
      ...fields,
    },
    at(now),
  )
const add = (grain: string, start: string, end: string) => ({ ...range(start, end), grain, sign: 1 })
const subtract = (start: string, end: string) => ({ ...range(start, end), grain: 'day', sign: -1 })

it('reads whole days by day', () => {
  expect(plan({})).toMatchObject({
    totals: [add('day', '2026-01-10', '2026-01-12')],
    values: [add('day', '2026-01-10', '2026-01-12')],
    raw: [],
  })
})

it('reads the whole last day of links if no counted click is after the range', () => {
  const today = { countsOf: 'links' as const, range: range('2026-01-10', '2026-01-11T14:00') }
  expect(plan({ ...today, countedUntil: at('2026-01-11T14:00') })).toMatchObject({
    values: [add('day', '2026-01-10', '2026-01-12')],
    raw: [],
  })
  expect(plan({ ...today, countedUntil: at('2026-01-11T14:15') })).toMatchObject({
    values: [add('day', '2026-01-10', '2026-01-11')],
    raw: [range('2026-01-11', '2026-01-11T14:00')],
  })
})

it('reads whole months and subtracts the days outside if they are fewer', () => {
  expect(plan({ range: range('2026-01-25', '2026-03-20') }).values).toEqual([
    add('day', '2026-01-25', '2026-02-01'),
    add('month', '2026-02-01', '2026-03-01'),
    add('month', '2026-03-01', '2026-04-01'),
    subtract('2026-03-20', '2026-04-01'),
  ])
})

it('ignores days in the future when it plans the current month', () => {
  expect(plan({ range: range('2026-03-01', '2026-03-10') }, '2026-03-09T12:00').values).toEqual([
    add('month', '2026-03-01', '2026-04-01'),
    subtract('2026-03-10', '2026-04-01'),
  ])
})

it('reads a series by day, without months', () => {
  const long = range('2026-01-01', '2026-03-01')
  expect(plan({ range: long, buckets: [at('2026-01-01'), at('2026-02-01')] }).values).toEqual([
    add('day', '2026-01-01', '2026-03-01'),
  ])
})

it('reads the ends of a range by hour, and partial hours from clicks', () => {
  expect(plan({ range: range('2026-01-10T22:10', '2026-01-12T01:30') })).toMatchObject({
    values: [
      add('hour', '2026-01-10T23:00', '2026-01-11'),
      add('hour', '2026-01-12', '2026-01-12T01:00'),
      add('day', '2026-01-11', '2026-01-12'),
    ],
    raw: [range('2026-01-10T22:10', '2026-01-10T23:00'), range('2026-01-12T01:00', '2026-01-12T01:30')],
    aligned: range('2026-01-10T22:00', '2026-01-12T02:00'),
  })
})

it('reads partial days of links from clicks', () => {
  expect(plan({ countsOf: 'links', range: range('2026-01-10T23:00', '2026-01-12T23:00') })).toMatchObject({
    values: [add('day', '2026-01-11', '2026-01-12')],
    raw: [range('2026-01-10T23:00', '2026-01-11'), range('2026-01-12', '2026-01-12T23:00')],
  })
})

it('reads totals by quarter hour', () => {
  const shifted = range('2026-01-10T18:15', '2026-01-12T18:15')
  expect(plan({ dimensions: [], countsOf: 'links', range: shifted })).toMatchObject({
    totals: [
      add('quarter', '2026-01-10T18:15', '2026-01-11'),
      add('quarter', '2026-01-12', '2026-01-12T18:15'),
      add('day', '2026-01-11', '2026-01-12'),
    ],
    values: [],
    raw: [],
  })
})

it('reads truncated days from clicks', () => {
  expect(plan({ range: range('2026-01-10', '2026-01-13'), truncatedDays: [at('2026-01-11')] })).toEqual({
    totals: [add('day', '2026-01-10', '2026-01-11'), add('day', '2026-01-12', '2026-01-13')],
    values: [add('day', '2026-01-10', '2026-01-11'), add('day', '2026-01-12', '2026-01-13')],
    raw: [range('2026-01-11', '2026-01-12')],
    aligned: null,
  })
})

it.each([
  ['two dimensions', { dimensions: ['country', 'browser'] }],
  ['points within an hour', { buckets: [at('2026-01-10'), at('2026-01-10T00:30')] }],
  [
    'points within a day of a link',
    { countsOf: 'links', buckets: [at('2026-01-10'), at('2026-01-10T01:00')] },
  ],
] satisfies [string, Partial<PlanInput>][])('reads %s from clicks', (_, fields) => {
  expect(plan(fields)).toEqual({
    totals: [],
    values: [],
    raw: [range('2026-01-10', '2026-01-12')],
    aligned: null,
  })
})

it('reads a range within an hour from clicks', () => {
  const short = range('2026-01-10T22:10', '2026-01-10T22:50')
  expect(plan({ range: short })).toMatchObject({ values: [], totals: [], raw: [short] })
})
