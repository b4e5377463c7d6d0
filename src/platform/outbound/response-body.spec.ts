import { ResponseBody } from './response-body.js'

function bodyOf(...chunks: (string | Buffer)[]) {
  const body = new ResponseBody()
  const whole = chunks.every((chunk) => body.add(Buffer.from(chunk)))
  return { text: body.text(), whole }
}

describe('the body of an answer', () => {
  it('is kept as text, in one piece or in many', () => {
    expect(bodyOf()).toEqual({ text: '', whole: true })
    expect(bodyOf('a line\n\tand one more')).toEqual({ text: 'a line\n\tand one more', whole: true })
    expect(bodyOf(...Array.from('grüße 👋'))).toEqual({ text: 'grüße 👋', whole: true })
    const bytes = Array.from(Buffer.from('grüße 👋'), (byte) => Buffer.from([byte]))
    expect(bodyOf(...bytes).text).toBe('grüße 👋')
  })

  it('is whole at 16 KiB and cut beyond', () => {
    const most = 'x'.repeat(16_384)
    expect(bodyOf(most)).toEqual({ text: most, whole: true })
    expect(bodyOf('x', 'x'.repeat(16_383))).toEqual({ text: most, whole: true })
    expect(bodyOf(`${most}x`)).toEqual({ text: most, whole: false })
    expect(bodyOf(most, 'x')).toEqual({ text: most, whole: false })
  })

  it('is not cut through a character', () => {
    expect(bodyOf(`${'x'.repeat(16_382)}👋`)).toEqual({ text: 'x'.repeat(16_382), whole: false })
  })

  it('has no control characters, and what is no UTF-8 is marked', () => {
    expect(bodyOf('a\u0000b\r\n\u001b[31mc\u0007\u009bd').text).toBe('ab\n[31mcd')
    expect(bodyOf(Buffer.from([0x61, 0xff, 0xed, 0xa0, 0x80, 0x62])).text).toMatch(/^a\ufffd+b$/)
    expect(bodyOf(Buffer.from([0xff, 0, 0xfe])).text.isWellFormed()).toBe(true)
  })
})
