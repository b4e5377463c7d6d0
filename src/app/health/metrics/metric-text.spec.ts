import { DurationHistogram } from '../../../platform/util/duration-histogram.js'
import { formatMetrics } from './metric-text.js'

it('writes cumulative buckets', () => {
  const histogram = new DurationHistogram([0.1, 1])
  for (const seconds of [0.05, 0.5, 0.5, 2]) histogram.observe(seconds)
  const lines = formatMetrics({ click_readable_seconds: [{ labels: {}, histogram }] }).split('\n')
  expect(lines.slice(2)).toEqual([
    'link_service_click_readable_seconds_bucket{le="0.1"} 1',
    'link_service_click_readable_seconds_bucket{le="1"} 3',
    'link_service_click_readable_seconds_bucket{le="+Inf"} 4',
    'link_service_click_readable_seconds_sum 3.05',
    'link_service_click_readable_seconds_count 4',
    '',
  ])
})

it('escapes labels', () => {
  const text = formatMetrics({ egress_proxy_up: [{ labels: { proxy: 'a"b\\c\nd' }, value: 1 }] })
  expect(text).toContain('egress_proxy_up{proxy="a\\"b\\\\c\\nd"} 1')
})

it('writes nothing for an unknown value', () => {
  expect(formatMetrics({ workers: null, queue_jobs: [] })).toBe('')
})
