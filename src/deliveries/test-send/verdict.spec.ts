import type { PeerCertificate } from 'node:tls'

import { explainTls } from '../../platform/outbound/explain-error.js'
import {
  type ErrorClass,
  type FailedPhase,
  type Failure,
  errorClasses,
} from '../../platform/outbound/outcome.js'
import { createVerdict } from './verdict.js'
import type { TestOutcome } from './verdict.js'

const url = 'https://hooks.example:8443/in'
const noResponse: TestOutcome = {
  statusCode: null,
  durationMs: 35,
  error: null,
  remoteAddress: null,
  responseHeaders: null,
  timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 35 },
  retryAfter: null,
}
const failing = (errorClass: ErrorClass, message: string, fields: Partial<TestOutcome> = {}) =>
  createVerdict({ ...noResponse, error: { class: errorClass, message, phase: null }, ...fields }, url)
const responding = (statusCode: number, fields: Partial<TestOutcome> = {}) =>
  failing('http_status', `The receiver responded with ${statusCode}.`, { statusCode, ...fields })

it.each([200, 202, 204])('reports %d as a success with its duration', (statusCode) => {
  expect(createVerdict({ ...noResponse, statusCode }, url)).toBe(
    `The receiver responded with ${statusCode} in 35 ms.`,
  )
})

it.each(errorClasses)('explains the error class %s in whole sentences', (errorClass) => {
  const verdict = failing(errorClass, 'it went wrong')
  expect(verdict).toMatch(/^[A-Z].{30,}\.$/)
  expect(verdict).not.toMatch(/undefined|null|NaN|\.\.|\?\./)
})

describe('a redirect', () => {
  it('names the location and the fix', () => {
    const responseHeaders = { location: 'https://www.hooks.example/in' }
    expect(failing('redirect', 'x', { statusCode: 301, responseHeaders })).toBe(
      'The receiver responded with 301, a redirect to https://www.hooks.example/in. Webhooks do not follow redirects: use that URL for the webhook instead.',
    )
  })

  it('without a location asks for the final URL', () => {
    expect(failing('redirect', 'x', { statusCode: 304 })).toBe(
      'The receiver responded with 304. Webhooks do not follow redirects: use the final URL for the webhook instead.',
    )
  })
})

describe('a response with', () => {
  it.each([
    [400, 'could not read'],
    [401, 'verify the signature instead'],
    [403, 'check the secret'],
    [404, 'Check the path'],
    [405, 'does not accept POST'],
    [410, 'A webhook is disabled'],
    [413, 'Raise its limit'],
    [415, 'application/json'],
    [418, 'Only 2xx counts'],
    [429, 'max_in_flight'],
    [500, 'Check its log'],
    [501, 'The receiver failed'],
    [502, 'The proxy in front'],
    [503, 'is running and not overloaded'],
    [504, 'Respond first'],
    [599, 'The receiver failed'],
  ])('%d gives the advice: %s', (status, advice) => {
    const verdict = responding(status)
    expect(verdict).toContain(`The receiver responded with ${status} in 35 ms. `)
    expect(verdict).toContain(advice)
  })

  it('503 with Retry-After includes the time', () => {
    const retryAfter = new Date('2026-01-31T12:00:00Z')
    expect(responding(503, { retryAfter })).toContain('requested a pause until 2026-01-31T12:00:00.000Z')
  })
})

describe('a failed request', () => {
  it.each([
    ['dns', 'ENOTFOUND', 'ENOTFOUND. Check the spelling of hooks.example, '],
    ['blocked_address', '10.0.0.1 is private', '10.0.0.1 is private. Use a URL that is reachable '],
    ['blocked_address', 'x', 'WEBHOOK_ALLOWED_CIDRS'],
    ['refused', 'ECONNREFUSED', 'Nothing accepts connections at hooks.example:8443 (203.0.113.80).'],
    ['reset', 'ECONNRESET', 'was closed before the response was complete'],
    ['other', 'Something odd', 'The request failed. Something odd. '],
    ['too_large', 'The headers have more than 16 KiB', 'The headers have more than 16 KiB. '],
  ] as const)('of class %s includes its cause: %s', (errorClass, message, part) => {
    expect(failing(errorClass, message, { remoteAddress: '203.0.113.80' })).toContain(part)
  })

  it.each(['dns', 'blocked_address', 'refused', 'timeout', 'canceled', 'other'] as const)(
    'of class %s does not suggest curl if nothing was sent',
    (errorClass) => {
      expect(failing(errorClass, 'The network is unreachable.')).not.toMatch(/curl/i)
    },
  )

  it('without a connection asks to check the URL and the network', () => {
    expect(failing('other', 'The network is unreachable.')).toBe(
      'Nothing was sent. The network is unreachable. Check the URL of the webhook, and the settings and the network of this service.',
    )
  })

  it('to a private address names the command for development', () => {
    expect(failing('blocked_address', 'It is private.')).toContain('link-service listen --forward-to ')
  })

  it.each([
    ['CERT_HAS_EXPIRED', 'The certificate expired on 2020-06-15. Renew'],
    ['CERT_NOT_YET_VALID', 'clock'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'WEBHOOK_CA_FILE'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'WEBHOOK_CA_FILE'],
    [
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'for other.example, not for hooks.example. Use a certificate for this host',
    ],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'add the intermediate certificate'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'add the intermediate certificate'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'Port 8443 does not use TLS. It may be an HTTP port. Check the port'],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'TLS settings'],
  ])('with the TLS error %s gives advice', (code, advice) => {
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
    expect(createVerdict({ ...noResponse, error: failure.toOutcomeError(null) }, url)).toContain(advice)
  })
})

describe('a timeout', () => {
  it('before a connection suggests a firewall', () => {
    expect(failing('timeout', 'x', { durationMs: 15_003 })).toContain(
      'within 15.0 s. Check that it is reachable',
    )
  })

  it('after a connection asks for a faster response', () => {
    const timings = { ...noResponse.timings, connectMs: 12 }
    expect(failing('timeout', 'x', { durationMs: 15_003, timings })).toBe(
      'The receiver at hooks.example:8443 accepted the connection but did not respond within 15.0 s. Respond first, then process the event.',
    )
  })

  const timeoutIn = (phase: FailedPhase, fields: Partial<TestOutcome> = {}) => {
    const timings = { ...noResponse.timings, connectMs: phase === 'dns' ? null : 12 }
    const error = { class: 'timeout', message: 'it went wrong', phase } as const
    return createVerdict({ ...noResponse, durationMs: 15_003, timings, error, ...fields }, url)
  }

  it('of the DNS lookup does not suggest a firewall', () => {
    expect(timeoutIn('dns')).toBe(
      'It went wrong. Check the spelling of hooks.example, and that its DNS record is public.',
    )
  })

  it('of the TLS handshake asks to check the port', () => {
    expect(timeoutIn('tls')).toBe(
      'The receiver at hooks.example:8443 accepted the connection, but the TLS handshake did not finish within 15.0 s. Check the port, and that the receiver uses TLS on this port.',
    )
  })

  it('of the body says that the receiver responded', () => {
    expect(timeoutIn('body', { statusCode: 200 })).toBe(
      'The receiver at hooks.example:8443 responded with 200, but the response was not complete within 15.0 s. Respond with a short or empty body.',
    )
  })
})

it('names the format that Slack and Discord accept', () => {
  const rejected = {
    ...noResponse,
    statusCode: 400,
    error: { class: 'http_status', message: 'x', phase: null } as const,
  }
  const slack = 'https://hooks.slack.com/services/T/B/x'
  expect(createVerdict(rejected, slack)).toContain('set the format of the webhook to slack.')
  expect(createVerdict(rejected, slack, 'slack')).not.toContain('format')
  expect(createVerdict(rejected, url)).not.toContain('format')
})
