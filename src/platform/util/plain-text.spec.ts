import { plainLine, plainText } from './plain-text.js'

const unsafe = 'a\u001b[31m\u0000b\u202Ec\u2066d\u200Fe\n\tf'

it('removes control characters and direction marks from a line', () => {
  expect(plainLine(unsafe, 500)).toBe('a[31mbcdef')
})

it('keeps line breaks and tabs in a text', () => {
  expect(plainText(unsafe)).toBe('a[31mbcde\n\tf')
})

it('keeps letters, marks and emoji of every script', () => {
  const text = 'שלום العربية é 東京 \u{1F468}\u200D\u{1F469}'
  expect(plainLine(text, 500)).toBe(text)
})

it('replaces a surrogate pair that is cut in half with U+FFFD', () => {
  expect(plainLine('ab\u{1F331}', 3)).toBe('ab\uFFFD')
})
