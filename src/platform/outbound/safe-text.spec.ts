import { plainLine, plainText } from './safe-text.js'

const strange = 'a\u001b[31m\u0000b\u202Ec\u2066d\u200Fe\n\tf'

it('a line has no control characters, and nothing that turns the direction of writing', () => {
  expect(plainLine(strange, 500)).toBe('a[31mbcdef')
})

it('a text keeps its line feeds and tabs', () => {
  expect(plainText(strange)).toBe('a[31mbcde\n\tf')
})

it('letters, marks and emoji of every script stay', () => {
  const kept = 'שלום العربية é 東京 \u{1F468}\u200D\u{1F469}'
  expect(plainLine(kept, 500)).toBe(kept)
})

it('a line that is cut ends with a whole sign', () => {
  expect(plainLine('ab\u{1F331}', 3)).toBe('ab\uFFFD')
})
