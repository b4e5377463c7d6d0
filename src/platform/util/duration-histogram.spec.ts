import { DurationHistogram, HistogramFamily } from './duration-histogram.js'

it('counts a duration in the first bucket whose bound is not smaller', () => {
  const histogram = new DurationHistogram([0.1, 1])
  for (const seconds of [0, 0.1, 0.11, 1, 1.5, 100]) histogram.observe(seconds)
  expect(histogram.read()).toEqual({ counts: [2, 2, 2], sum: expect.closeTo(102.71) })
})

it('drains into another histogram without losing or repeating a duration', () => {
  const [thread, total] = [new DurationHistogram([1]), new DurationHistogram([1])]
  thread.observe(0.5)
  total.addCounts(thread.drain())
  thread.observe(2)
  total.addCounts(thread.drain())
  total.addCounts(thread.drain())
  expect(total.read()).toEqual({ counts: [1, 1], sum: 2.5 })
})

it('keeps one histogram per combination of labels', () => {
  const family = new HistogramFamily<'method' | 'status'>([1])
  family.withLabels({ method: 'GET', status: '2xx' }).observe(1)
  family.withLabels({ method: 'GET', status: '2xx' }).observe(1)
  family.withLabels({ method: 'GET', status: '5xx' }).observe(1)
  expect([...family].map(({ labels, histogram }) => [labels.status, histogram.read().sum])).toEqual([
    ['2xx', 2],
    ['5xx', 1],
  ])
})
