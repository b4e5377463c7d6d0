/** Turns network and HTTP errors into failures with an explanation. */
import { STATUS_CODES } from 'node:http'
import type { PeerCertificate } from 'node:tls'

import { Failure, type StoredHeaders, type TlsFault } from './outcome.js'
import { plainLine } from '../util/plain-text.js'
import type { Origin } from './destination.js'

type Explain = (origin: Origin) => Failure

const explainUnreachable: Explain = ({ hostname }) =>
  new Failure('other', `There is no network route from this server to ${hostname}.`)
const explainReset: Explain = () =>
  new Failure('reset', 'The receiver closed the connection before its response was complete.')
const explainInvalidHttp: Explain = () =>
  new Failure('other', 'The receiver did not send a valid HTTP response.')

const byCode = new Map<string | undefined, Explain>([
  [
    'ECONNREFUSED',
    ({ hostname, port }) => new Failure('refused', `Nothing is listening on port ${port} of ${hostname}.`),
  ],
  ['ENETUNREACH', explainUnreachable],
  ['EHOSTUNREACH', explainUnreachable],
  ['EADDRNOTAVAIL', explainUnreachable],
  ['ETIMEDOUT', ({ hostname }) => new Failure('timeout', `${hostname} did not respond.`)],
  ['ECONNRESET', explainReset],
  ['ECONNABORTED', explainReset],
  ['EPIPE', explainReset],
  [
    'UND_ERR_HEADERS_OVERFLOW',
    () => new Failure('too_large', 'The response headers are too large or too many.'),
  ],
])

/** Undici uses these codes both for connections that ended too early and for invalid responses. */
const ambiguous = new Set(['UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'])

export function explainError(error: Error, origin: Origin, endedByPeer: boolean): Failure {
  if (error instanceof Failure) return error
  const { code } = error as NodeJS.ErrnoException
  const explain = byCode.get(code)
  if (explain) return explain(origin)
  if (error.name === 'HTTPParserError' || (code && ambiguous.has(code)))
    return endedByPeer ? explainReset(origin) : explainInvalidHttp(origin)
  if (code?.startsWith('ERR_SSL_')) return new Failure('tls', `The TLS connection failed (${code}).`)
  return new Failure('other', 'The request could not be sent.')
}

/** Returns the failure of a status, or null for success, which is only 2xx. */
export function explainStatus(status: number, headers: StoredHeaders): Failure | null {
  if (status >= 200 && status < 300) return null
  const summary = `The receiver responded with ${[status, STATUS_CODES[status]].filter(Boolean).join(' ')}`
  if (status < 300 || status >= 400) return new Failure('http_status', `${summary}.`)
  const location = plainLine(headers['location'] ?? '', 200)
  return new Failure(
    'redirect',
    location
      ? `${summary} and points to ${location}; redirects are not followed.`
      : `${summary}; redirects are not followed.`,
  )
}

interface TlsExplanation {
  fault: TlsFault
  getMessage: (certificate?: PeerCertificate) => string
}

const incompleteChain: TlsExplanation = {
  fault: 'incomplete_chain',
  getMessage: () =>
    'The certificate was signed by an unknown authority, or the receiver does not send the intermediate certificates.',
}

const explanations: Record<string, TlsExplanation> = {
  CERT_HAS_EXPIRED: {
    fault: 'expired',
    getMessage: (certificate) => `The certificate expired${formatDate(certificate?.valid_to)}.`,
  },
  CERT_NOT_YET_VALID: {
    fault: 'not_yet_valid',
    getMessage: (certificate) =>
      `The certificate is not valid${formatDate(certificate?.valid_from, 'before')}.`,
  },
  CERT_REVOKED: { fault: 'other', getMessage: () => 'The certificate was revoked.' },
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    fault: 'unknown_authority',
    getMessage: () => 'The certificate is self-signed.',
  },
  SELF_SIGNED_CERT_IN_CHAIN: {
    fault: 'unknown_authority',
    getMessage: () => 'The certificate was signed by an unknown authority.',
  },
  UNABLE_TO_GET_ISSUER_CERT: incompleteChain,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: incompleteChain,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: incompleteChain,
}

/** Returns whether Node.js reports this code for a failed handshake or an invalid certificate. */
export function isTlsCode(code: string): boolean {
  return code in explanations || /^(?:CERT|ERR_TLS|ERR_SSL)_/.test(code)
}

/** Explains a failed handshake. An error that is unrelated to TLS is returned unchanged. */
export function explainTls(
  error: NodeJS.ErrnoException,
  name: string,
  port: number,
  certificate?: PeerCertificate,
): Error {
  const code = error.code ?? ''
  if (error instanceof Failure || code === 'ECONNRESET' || code === 'EPIPE') return error
  const { fault, getMessage } = findTlsExplanation(code, name, port)
  return new Failure('tls', getMessage(certificate), fault)
}

function findTlsExplanation(code: string, name: string, port: number): TlsExplanation {
  const explanation = explanations[code]
  if (explanation) return explanation
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return { fault: 'wrong_name', getMessage: (certificate) => explainWrongName(name, certificate) }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG')
    return {
      fault: 'plain_text',
      getMessage: () => `Port ${port} does not use TLS. It may be an HTTP port.`,
    }
  return {
    fault: 'other',
    getMessage: () => `The TLS handshake failed (${plainLine(code, 60) || 'TLS error'}).`,
  }
}

function explainWrongName(name: string, certificate?: PeerCertificate): string {
  const names = certificate?.subjectaltname?.replace(/(DNS|IP Address):/g, '')
  return names
    ? `The certificate is for ${plainLine(names, 200)}, not for ${name}.`
    : `The certificate is not for ${name}.`
}

function formatDate(date: string | undefined, word = 'on'): string {
  const day = new Date(date ?? NaN)
  return isNaN(day.getTime()) ? '' : ` ${word} ${day.toISOString().slice(0, 10)}`
}
