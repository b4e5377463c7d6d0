import type { PeerCertificate } from 'node:tls'

import { explainTls } from '../../platform/outbound/explain-error.js'
import { type ErrorClass, type Failure, errorClasses } from '../../platform/outbound/outcome.js'
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
    ['other', 'Something odd', 'The request failed. Something odd. '],
    ['too_large', 'The headers have more than 16 KiB', 'The headers have more than 16 KiB. '],
  ] as const)('because of %s: %s', (errorClass, message, part) => {
    expect(failing(errorClass, message, { remoteAddress: '203.0.113.80' })).toContain(part)
  })

  it.each(['dns', 'blocked_address', 'refused', 'timeout', 'canceled', 'other'] as const)(
    'because of %s: nothing was sent, so nothing is to be sent again by hand',
    (errorClass) => {
      expect(failing(errorClass, 'There is no way to it.')).not.toMatch(/curl/i)
    },
  )

  it('because there is none, says where to look', () => {
    expect(failing('other', 'There is no way to it from here.')).toBe(
      "Nothing was sent. There is no way to it from here. Check the webhook's address, and the settings and the network of this service.",
    )
  })

  it('to a private address: the command for development is named', () => {
    expect(failing('blocked_address', 'It is private.')).toContain('link-service listen --forward-to ')
  })

  it.each([
    ['CERT_HAS_EXPIRED', 'The certificate expired on 2020-06-15. Renew'],
    ['CERT_NOT_YET_VALID', 'clock'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'WEBHOOK_CA_FILE'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'WEBHOOK_CA_FILE'],
    [
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'for other.example, not for hooks.example. Use a certificate that names',
    ],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'add the intermediate certificate'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'add the intermediate certificate'],
    [
      'ERR_SSL_WRONG_VERSION_NUMBER',
      'Port 8443 does not speak TLS; perhaps it is for plain http. Check the port',
    ],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'TLS settings'],
  ])('because of TLS: %s', (code, advice) => {
    const certificate = {
      valid_from: 'Jun 15 12:00:00 2019 GMT',
      valid_to: 'Jun 15 12:00:00 2020 GMT',
      subjectaltname: 'DNS:other.example',
    } as PeerCertificate
    const failure = explainTls(
      Object.assign(new Error(code), { code }),
      'hooks.example',
      8443,
      certificate,
    ) as Failure
    expect(verdictOf({ ...nothing, error: failure.asOutcome() }, url)).toContain(advice)
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
