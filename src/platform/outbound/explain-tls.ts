import type { PeerCertificate } from 'node:tls'

import { Failure } from './failure.js'
import { plainLine } from './safe-text.js'

const unknownAuthority =
  'The certificate was signed by an unknown authority, or the receiver does not send the certificates in between.'

const sentences: Record<string, (certificate?: PeerCertificate) => string> = {
  CERT_HAS_EXPIRED: (certificate) => `The certificate expired${on(certificate?.valid_to)}.`,
  CERT_NOT_YET_VALID: (certificate) =>
    `The certificate is not valid yet${on(certificate?.valid_from, 'before')}.`,
  CERT_REVOKED: () => 'The certificate was revoked.',
  DEPTH_ZERO_SELF_SIGNED_CERT: () => 'The certificate is self-signed, so nobody vouches for the receiver.',
  SELF_SIGNED_CERT_IN_CHAIN: () => 'The certificate was signed by an unknown authority.',
  UNABLE_TO_GET_ISSUER_CERT: () => unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: () => unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: () => unknownAuthority,
}

/** What went wrong in a handshake; an error that has nothing to do with TLS is given back as it came. */
export function explainTls(
  error: NodeJS.ErrnoException,
  name: string,
  port: number,
  certificate?: PeerCertificate,
): Error {
  const code = error.code ?? ''
  if (error instanceof Failure || code === 'ECONNRESET' || code === 'EPIPE') return error
  const sentence = sentences[code]
  if (sentence) return new Failure('tls', sentence(certificate))
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return new Failure('tls', wrongName(name, certificate))
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG')
    return new Failure('tls', `Port ${port} does not speak TLS; perhaps it is for plain http.`)
  return new Failure('tls', `No secure connection could be made (${plainLine(code, 60) || 'TLS error'}).`)
}

function wrongName(name: string, certificate?: PeerCertificate): string {
  const names = certificate?.subjectaltname?.replace(/(DNS|IP Address):/g, '')
  return names
    ? `The certificate is for ${plainLine(names, 200)}, not for ${name}.`
    : `The certificate is not for ${name}.`
}

function on(date: string | undefined, word = 'on'): string {
  const day = new Date(date ?? NaN)
  return isNaN(day.getTime()) ? '' : ` ${word} ${day.toISOString().slice(0, 10)}`
}
