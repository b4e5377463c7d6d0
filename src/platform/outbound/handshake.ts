/** TLS over an open connection: the name is always checked, whichever address it was resolved to. */
import { isIP } from 'node:net'
import type { Socket } from 'node:net'
import { connect } from 'node:tls'
import type { SecureContext, TLSSocket } from 'node:tls'

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
      // Refused below instead: node would destroy the connection, and with it the certificate that explains why.
      rejectUnauthorized: false,
      minVersion: 'TLSv1.2',
    })
    const abort = () => secured.destroy(signal.reason as Error)
    signal.addEventListener('abort', abort)

    secured.once('secureConnect', () => {
      signal.removeEventListener('abort', abort)
      if (secured.authorized) return resolve(secured)
      // Node gives the code of the error here, and declares the error itself.
      const refused = Object.assign(new Error('not authorized'), { code: String(secured.authorizationError) })
      reject(explainTls(refused, name, port, secured.getPeerCertificate()))
      secured.destroy()
    })
    secured.on('error', (error: Error) => {
      signal.removeEventListener('abort', abort)
      reject(explainTls(error, name, port))
    })
  })
}
