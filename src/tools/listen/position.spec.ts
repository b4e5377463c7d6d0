import { decodePosition, encodePosition, unfinishedItems } from './position.js'
import type { Position } from './position.js'

const feed = { cursor: 'eyJ0eCI6Ijc0MiJ9.c2lnbmF0dXJl', last: 'evt_01kaj4d0qae6svf0k9w3m7x2ht' }
const position: Position = { sequence: 17, events: feed, clicks: { cursor: '', last: null } }

describe('a position', () => {
  it.each([
    position,
    { sequence: 0, events: null, clicks: feed },
    { sequence: 1, events: feed, clicks: null },
  ])('is unchanged after encoding and decoding: %j', (each) => {
    expect(decodePosition(encodePosition(each))).toEqual(each)
  })

  it('has no characters that are special in a shell', () => {
    expect(encodePosition(position)).toMatch(/^[\w-]+$/)
  })

  it.each([
    '',
    'now',
    'nonsense',
    feed.cursor,
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
  ])('is not decoded from %j', (text) => {
    expect(decodePosition(text)).toBeNull()
  })
})

describe('the unfinished items of a page', () => {
  const page = ['a', 'b', 'c'].map((id) => ({ id }))
  const unfinished = (last: string | null) => unfinishedItems(page, last).map(({ id }) => id)

  it('are those after the last finished item', () => {
    expect(unfinished(null)).toEqual(['a', 'b', 'c'])
    expect(unfinished('a')).toEqual(['b', 'c'])
    expect(unfinished('c')).toEqual([])
  })

  it('are all items if the last finished item was deleted', () => {
    expect(unfinished('z')).toEqual(['a', 'b', 'c'])
  })
})
