import { decodePosition, encodePosition, restOf } from './position.js'
import type { Position } from './position.js'

const place = { cursor: 'eyJ0eCI6Ijc0MiJ9.c2lnbmF0dXJl', last: 'evt_01kaj4d0qae6svf0k9w3m7x2ht' }
const position: Position = { sequence: 17, events: place, clicks: { cursor: '', last: null } }

describe('a position', () => {
  it.each([
    position,
    { sequence: 0, events: null, clicks: place },
    { sequence: 1, events: place, clicks: null },
  ])('is the same after it was printed and read: %j', (each) => {
    expect(decodePosition(encodePosition(each))).toEqual(each)
  })

  it('is one word that no shell reads otherwise', () => {
    expect(encodePosition(position)).toMatch(/^[\w-]+$/)
  })

  it.each([
    '',
    'now',
    'nonsense',
    place.cursor,
    encodePosition(position).slice(0, -1),
    encodePosition(position).slice(4),
    ...[
      null,
      7,
      {},
      [],
      [2, 17, null, null],
      [1, 17, null],
      [1, -1, null, null],
      [1, 1.5, null, null],
      [1, '1', null, null],
      [1, 1, {}, null],
      [1, 1, [1, null], null],
      [1, 1, null, ['', 1]],
      [1, 1, null, ['']],
    ].map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url')),
  ])('is not %j', (text) => {
    expect(decodePosition(text)).toBeNull()
  })
})

describe('the rest of a page', () => {
  const page = ['a', 'b', 'c'].map((id) => ({ id }))
  const rest = (last: string | null) => restOf(page, last).map(({ id }) => id)

  it('is what comes after the last that is done', () => {
    expect(rest(null)).toEqual(['a', 'b', 'c'])
    expect(rest('a')).toEqual(['b', 'c'])
    expect(rest('c')).toEqual([])
  })

  it('is all of it when that one is not there any more', () => {
    expect(rest('z')).toEqual(['a', 'b', 'c'])
  })
})
