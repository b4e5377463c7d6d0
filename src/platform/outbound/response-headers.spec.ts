import { keptHeaders } from './response-headers.js'

function raw(...pairs: [string, string][]): Buffer[] {
  return pairs.flat().map((text) => Buffer.from(text, 'latin1'))
}

describe('the headers of an answer', () => {
  it('are kept with lower-case names, and joined where one comes again', () => {
    expect({
      ...keptHeaders(raw(['Content-Type', 'a/b'], ['Set-Cookie', 'a=1'], ['set-cookie', 'b=2'])),
    }).toEqual({
      'content-type': 'a/b',
      'set-cookie': 'a=1, b=2',
    })
  })

  it('lose control characters', () => {
    expect(keptHeaders(raw(['a', 'x\u0000\u001b[31my\tz\u0085']))['a']).toBe('x[31myz')
  })

  it('may have names that objects have by themselves', () => {
    const headers = keptHeaders(raw(['constructor', 'a'], ['__proto__', 'b'], ['toString', 'c']))
    expect(JSON.parse(JSON.stringify(headers), (_key, value) => value)).toEqual(
      JSON.parse('{"constructor": "a", "__proto__": "b", "tostring": "c"}'),
    )
  })

  it('are cut to 1,000 characters each, also when joined', () => {
    const headers = keptHeaders(raw(['a', 'x'.repeat(5000)], ['b', 'y'.repeat(900)], ['b', 'z'.repeat(900)]))
    expect(headers['a']).toHaveLength(1000)
    expect(headers['b']).toHaveLength(1000)
  })

  it('are at most 100', () => {
    const headers = keptHeaders(
      raw(...Array.from({ length: 500 }, (_, i): [string, string] => [`h${i}`, 'x'])),
    )
    expect(Object.keys(headers)).toHaveLength(100)
    expect(headers).toHaveProperty('h99')
  })

  it('are at most 8 KiB together', () => {
    const headers = keptHeaders(
      raw(...Array.from({ length: 50 }, (_, i): [string, string] => [`h${i}`, 'x'.repeat(990)])),
    )
    expect(Object.entries(headers).flat().join('').length).toBeLessThanOrEqual(8192)
    expect(Object.keys(headers)).toHaveLength(8)
  })
})
