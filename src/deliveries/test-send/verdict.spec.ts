import { errorClasses } from '../outbound/outcome.js'
import type { ErrorClass } from '../outbound/outcome.js'
import { verdictOf } from './verdict.js'
import type { Told } from './verdict.js'

const url = 'https://hooks.example:8443/in'
const nothing: Told = {
  statusCode: null,
  durationMs: 35,
  error: null,
  remoteAddress: null,
  responseHeaders: null,
  timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 35 },
  retryAfter: null,
}
const failing = (errorClass: ErrorClass, message: string, fields: Partial<Told> = {}) =>
  verdictOf({ ...nothing, error: { class: errorClass, message }, ...fields }, url)
const answering = (statusCode: number, fields: Partial<Told> = {}) =>
  failing('http_status', `The receiver answered ${statusCode}.`, { statusCode, ...fields })

it.each([200, 202, 204])('a %d is a success, with its time', (statusCode) => {
  expect(verdictOf({ ...nothing, statusCode }, url)).toBe(`The receiver answered ${statusCode} in 35 ms.`)
})

it.each(errorClasses)('of %s there is a sentence that says something', (errorClass) => {
  const verdict = failing(errorClass, 'it went wrong')
  expect(verdict).toMatch(/^[A-Z].{30,}\.$/)
  expect(verdict).not.toMatch(/undefined|null|NaN|\.\.|\?\./)
})

describe('a redirect', () => {
  it('says where to, and what to do', () => {
    const responseHeaders = { location: 'https://www.hooks.example/in' }
    expect(failing('redirect', 'x', { statusCode: 301, responseHeaders })).toBe(
      'It answered 301 to https://www.hooks.example/in: webhooks do not follow redirects; register that address.',
    )
  })

  it('that says nothing of it', () => {
    expect(failing('redirect', 'x', { statusCode: 304 })).toBe(
      'It answered 304: webhooks do not follow redirects; register the address itself.',
    )
  })
})

describe('an answer of', () => {
  it.each([
    [400, 'does not understand'],
    [401, 'check the signature instead'],
    [403, 'compare the secret'],
    [404, 'Check the path'],
    [405, 'does not take POST'],
    [410, 'would disable the webhook'],
    [413, 'Raise the limit'],
    [415, 'application/json'],
    [418, 'Only 2xx counts'],
    [429, 'max_in_flight'],
    [500, 'in its log'],
    [501, 'on its side'],
    [502, 'the proxy in front'],
    [503, 'has started'],
    [504, 'Answer first'],
    [599, 'on its side'],
  ])('%d has its own advice', (status, advice) => {
    const verdict = answering(status)
    expect(verdict).toContain(`It answered ${status} in 35 ms: `)
    expect(verdict).toContain(advice)
  })

  it('503 with Retry-After says until when', () => {
    const retryAfter = new Date('2026-01-31T12:00:00Z')
    expect(answering(503, { retryAfter })).toContain('wants no more before 2026-01-31T12:00:00.000Z')
  })
})

describe('no connection', () => {
  it.each([
    ['dns', 'ENOTFOUND', 'The name hooks.example could not be looked up. ENOTFOUND. '],
    ['blocked_address', '10.0.0.1 is private', '10.0.0.1 is private. Use a public address; '],
    ['blocked_address', 'x', 'WEBHOOK_ALLOWED_CIDRS'],
    ['refused', 'ECONNREFUSED', 'Nothing accepts connections at hooks.example:8443 (203.0.113.80).'],
    ['reset', 'ECONNRESET', 'was closed before there was an answer'],
    ['canceled', 'x', 'Test again'],
    ['other', 'Something odd', 'The request failed. Something odd. '],
    ['too_large', 'The headers have more than 16 KiB', 'The headers have more than 16 KiB. '],
  ] as const)('because of %s: %s', (errorClass, message, part) => {
    expect(failing(errorClass, message, { remoteAddress: '203.0.113.80' })).toContain(part)
  })

  it.each([
    ['certificate has expired', 'Renew'],
    ['The certificate expired on 2026-01-01T00:00:00.000Z.', 'expired on 2026-01-01T00:00:00.000Z. Renew'],
    ['CERT_NOT_YET_VALID', 'clock'],
    ['self-signed certificate', 'WEBHOOK_CA_FILE'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'WEBHOOK_CA_FILE'],
    ["Hostname/IP does not match certificate's altnames", 'names this host'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'names this host'],
    ['unable to verify the first certificate', 'intermediate'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'intermediate'],
    ['ssl3_get_record:wrong version number', 'does not speak TLS'],
    ['handshake failure', 'TLS settings'],
  ])('because of TLS: %s', (message, advice) => {
    expect(failing('tls', message)).toContain(advice)
  })
})

describe('a timeout', () => {
  it('before there was a connection', () => {
    expect(failing('timeout', 'x', { durationMs: 15_003 })).toContain(
      'within 15.0 s. Check that it can be reached',
    )
  })

  it('after it', () => {
    const timings = { ...nothing.timings, connectMs: 12 }
    expect(failing('timeout', 'x', { durationMs: 15_003, timings })).toBe(
      'The receiver at hooks.example:8443 took the connection but did not answer within 15.0 s. Answer first, and do the work afterwards.',
    )
  })
})
