import { judgeKeys } from './key-verdict.js'
import type { KeyVerdict } from './key-verdict.js'

const cases: [
  title: string,
  inUse: string[],
  retired: string[],
  current: string,
  previous: string | null,
  kind: KeyVerdict['kind'],
][] = [
  ['the first start', [], [], 'a', null, 'first'],
  ['the same key', ['a'], [], 'a', null, 'accepted'],
  ['another key', ['a'], [], 'b', null, 'wrong'],
  ['another key and an unknown previous key', ['a'], [], 'b', 'c', 'wrong'],
  ['an additional key before the rotation', ['a'], [], 'a', 'b', 'accepted'],
  ['a new key with the known previous key', ['a'], [], 'b', 'a', 'rotated'],
  ['the new key during a rotation', ['a', 'b'], [], 'b', 'a', 'accepted'],
  ['the old key that also reads the new key', ['a', 'b'], [], 'a', 'b', 'accepted'],
  ['only the old key during a rotation', ['a', 'b'], [], 'a', null, 'outdated'],
  ['only the new key during a rotation', ['a', 'b'], [], 'b', null, 'incomplete'],
  ['a second rotation before the end of the first', ['a', 'b'], [], 'c', 'b', 'incomplete'],
  ['the old key after the rotation', ['b'], ['a'], 'a', 'b', 'retired'],
  ['the new key after the rotation', ['b'], ['a'], 'b', 'a', 'accepted'],
  ['the next rotation', ['b'], ['a'], 'c', 'b', 'rotated'],
]

it.each(cases)('returns the verdict for %s', (_title, inUse, retired, current, previous, kind) => {
  expect(judgeKeys({ inUse, retired }, { current, previous }).kind).toBe(kind)
})
