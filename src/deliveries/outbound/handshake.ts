/** TLS over an open connection: the name is always checked, whichever address it was resolved to. */
import { isIP } from 'node:net'
import type { Socket } from 'node:net'
import { connect } from 'node:tls'
import type { PeerCertificate, SecureContext, TLSSocket } from 'node:tls'

import { explainTls } from './explain-tls.js'
import type { Origin } from './origin.js'

export function handshake(
  socket: Socket,
  { hostname, port }: Origin,
  secureContext: SecureContext,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const name = hostname.replace(/^\[|\]$|\.$/g, '')
  return new Promise((resolve, reject) => {
    const secured = connect({
      socket,
      secureContext,
      host: name,
      // Server Name Indication is for names only (RFC 6066, 3).
      servername: isIP(name) === 0 ? name : '',
      ALPNProtocols: ['http/1.1'],
      // Written out, because NODE_TLS_REJECT_UNAUTHORIZED in the environment would change the default.
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
    })
    const abort = () => secured.destroy(signal.reason as Error)
    signal.addEventListener('abort', abort)

    // When the handshake fails the certificate is gone, and with it the date or the name that explains the failure.
    let certificate: PeerCertificate | undefined
    secured.prependOnceListener('secure', () => (certificate = secured.getPeerCertificate()))
    secured.once('secureConnect', () => {
      signal.removeEventListener('abort', abort)
      resolve(secured)
    })
    secured.on('error', (error: Error) => {
      signal.removeEventListener('abort', abort)
      reject(explainTls(error, name, port, certificate))
    })
  })
}
