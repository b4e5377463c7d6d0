import type { Problem } from '../problems/problem.js'
import { parseStrictJson } from './strict-json.js'

function getErrorCode(bytes: Buffer): string {
  try {
    parseStrictJson(bytes)
  } catch (error) {
    return (error as Problem).code
  }
  return 'accepted'
}

describe('parseStrictJson', () => {
  it.each([
    ['{"a":1,"b":{"a":2},"c":[{"a":1},{"a":2}]}'],
    ['{"text":"a\\":1,\\"a\\":2","a":3}'],
    ['{"a:":"{","b":"}","c":"\\\\"}'],
  ])('accepts %s', (text) => {
    expect(parseStrictJson(Buffer.from(text))).toEqual(JSON.parse(text))
  })

  it.each([
    ['', 'invalid_json'],
    ['{', 'invalid_json'],
    ['{"a":1,}', 'invalid_json'],
    ["{'a':1}", 'invalid_json'],
    ['{"a":NaN}', 'invalid_json'],
    ['{"a":1,"a":1}', 'invalid_json'],
    ['{"a":1,"\\u0061":2}', 'invalid_json'],
    ['{"b":{"a":1, "c":[], "a" : 2}}', 'invalid_json'],
    ['{"a":1,"a"\r\n\t :2}', 'invalid_json'],
    ['{"\\\\":1,"b":"\\"","\\\\":2}', 'invalid_json'],
    ['null', 'validation_failed'],
    ['[]', 'validation_failed'],
    ['"a"', 'validation_failed'],
    ['1', 'validation_failed'],
  ])('rejects %s as %s', (text, code) => {
    expect(getErrorCode(Buffer.from(text))).toBe(code)
  })

  it('rejects invalid UTF-8', () => {
    expect(getErrorCode(Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]))).toBe('invalid_json')
  })

  it('accepts 100,000 levels of nesting', () => {
    expect(getErrorCode(Buffer.from(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`))).toBe('accepted')
  })

  it.each([
    ['in one array', (values: number) => `{"a":[",,{["${',1'.repeat(values - 3)}]}`],
    ['in nested arrays', (values: number) => `{"a":${'['.repeat(values - 2)}${']'.repeat(values - 2)}}`],
  ])('accepts at most 200,000 values %s', (_, many) => {
    expect(getErrorCode(Buffer.from(many(200_000)))).toBe('accepted')
    expect(getErrorCode(Buffer.from(many(200_001)))).toBe('invalid_json')
  })

  it('accepts a key and a value with five million escapes each', () => {
    const escapes = '\\n'.repeat(5_000_000)
    expect(getErrorCode(Buffer.from(`{"${escapes}":"${escapes}"}`))).toBe('accepted')
  })
})
