import { memoize } from './memoize.js'

/** Returns a memoized function, and the inputs that it has computed. */
function memoized() {
  const computed: string[] = []
  const find = memoize((input) => {
    computed.push(input)
    return input === 'nothing' ? null : input.length
  })
  return { computed, find }
}

it('computes each input once, even if the result is null', () => {
  const { computed, find } = memoized()
  for (const input of ['a', 'nothing', 'a', 'nothing', 'ä\ud800 日本']) find(input)
  expect(computed).toEqual(['a', 'nothing', 'ä\ud800 日本'])
  expect([find('nothing'), find('ä\ud800 日本')]).toEqual([null, 5])
  expect(computed).toHaveLength(3)
})

it('does not cache long inputs', () => {
  const { computed, find } = memoized()
  const long = 'x'.repeat(5_000)
  expect([find(long), find(long)]).toEqual([5_000, 5_000])
  expect(computed).toHaveLength(2)
})

it('clears its results when there are too many inputs', () => {
  const { computed, find } = memoized()
  for (let i = 0; i <= 20_000; i++) find(String(i))
  find('20000')
  expect(computed).toHaveLength(20_001)
  find('0')
  expect(computed).toHaveLength(20_002)
})
