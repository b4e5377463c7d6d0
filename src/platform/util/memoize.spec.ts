import { memoize } from './memoize.js'

/** A memoized function, and the inputs that it has computed. */
function remembering() {
  const asked: string[] = []
  const find = memoize((input) => {
    asked.push(input)
    return input === 'nothing' ? null : input.length
  })
  return { asked, find }
}

it('computes each input once, also when the result is null', () => {
  const { asked, find } = remembering()
  for (const input of ['a', 'nothing', 'a', 'nothing', 'ä\ud800 日本']) find(input)
  expect(asked).toEqual(['a', 'nothing', 'ä\ud800 日本'])
  expect([find('nothing'), find('ä\ud800 日本')]).toEqual([null, 5])
  expect(asked).toHaveLength(3)
})

it('does not remember long inputs', () => {
  const { asked, find } = remembering()
  const long = 'x'.repeat(5_000)
  expect([find(long), find(long)]).toEqual([5_000, 5_000])
  expect(asked).toHaveLength(2)
})

it('forgets everything when there are too many inputs', () => {
  const { asked, find } = remembering()
  for (let i = 0; i <= 20_000; i++) find(String(i))
  find('20000')
  expect(asked).toHaveLength(20_001)
  find('0')
  expect(asked).toHaveLength(20_002)
})
