import { keptAddress } from './address.js'

describe('the kept part of an address', () => {
  it.each([
    ['203.0.113.77', '203.0.113.0'],
    ['::ffff:203.0.113.77', '203.0.113.0'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
    ['::1', '::'],
  ])('of %s is %s', (address, kept) => {
    expect(keptAddress(address, 'truncate')).toBe(kept)
  })

  it('is all of it, or nothing, where that was set', () => {
    expect(keptAddress('::ffff:203.0.113.77', 'full')).toBe('203.0.113.77')
    expect(keptAddress('2001:DB8:0::1', 'full')).toBe('2001:db8::1')
    expect(keptAddress('203.0.113.77', 'none')).toBeNull()
  })

  it.each(['', 'unknown', '203.0.113', '<script>', '203.0.113.77, 10.0.0.1'])('is nothing of %j', (text) => {
    expect(keptAddress(text, 'full')).toBeNull()
  })
})
