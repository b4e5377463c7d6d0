import { hashTokenValue, isTokenValue, createTokenValue, getShownParts } from './token-value.js'

describe('a token value', () => {
  it('has the prefix of its environment, 43 random characters and a checksum', () => {
    expect(createTokenValue('live')).toMatch(/^lsk_live_[0-9A-Za-z]{49}$/)
    expect(createTokenValue('test')).toMatch(/^lsk_test_[0-9A-Za-z]{49}$/)
  })

  it('is different on every call', () => {
    expect(new Set(Array.from({ length: 1000 }, () => createTokenValue('live'))).size).toBe(1000)
  })

  it('is rejected when any character is changed', () => {
    const value = createTokenValue('live')
    expect(isTokenValue(value)).toBe(true)
    for (let i = 0; i < value.length; i++) {
      const other = value[i] === 'a' ? 'b' : 'a'
      expect(isTokenValue(value.slice(0, i) + other + value.slice(i + 1))).toBe(false)
    }
  })

  it.each([
    '',
    'lsk_live_',
    ' ',
    'Bearer x',
    `${createTokenValue('live')}\n`,
    ` ${createTokenValue('live')}`,
    createTokenValue('live').slice(1),
  ])('is rejected when it is %j', (text) => {
    expect(isTokenValue(text)).toBe(false)
  })

  it('has a hash that depends on the pepper', () => {
    const value = createTokenValue('live')
    const hash = (pepper: string) => hashTokenValue(pepper.repeat(32), value, false)
    expect(hash('a')).toEqual(hash('a'))
    expect(hash('a')).not.toEqual(hash('b'))
  })

  it('shows only its prefix and its last four characters', () => {
    const value = createTokenValue('test')
    expect(getShownParts(value)).toEqual({ prefix: 'lsk_test_', last4: value.slice(-4) })
  })
})
