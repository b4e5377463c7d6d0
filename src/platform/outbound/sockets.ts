/** Opens TCP connections to checked addresses, and starts TLS on them. */
import { type Socket, connect as connectSocket, isIP } from 'node:net'
import {
  type SecureContext,
  type TLSSocket,
  connect as connectTls,
  createSecureContext,
  rootCertificates,
} from 'node:tls'

import type { SourceAddresses } from '../config/egress-settings.js'
import { explainTls } from './explain-error.js'
import { Failure } from './outcome.js'

/** The delay before the next address is tried in parallel (RFC 8305, "Happy Eyeballs"). */
const headStartMs = 300
/** Maximum number of addresses to try, because a name may have thousands. */
const maxAddresses = 8
/** Small, so that a hostile receiver cannot fill a large buffer before the limits apply. */
const bufferBytes = 16 * 1024

interface ConnectTarget {
  addresses: readonly string[]
  port: number
  /** Null if the system chooses the local address. */
  source: SourceAddresses | null
}

/** Connects to the first address that accepts. Does not resolve names, so only checked addresses are used. */
export function connectToFirst(
  { addresses, port, source }: ConnectTarget,
  signal: AbortSignal,
): Promise<Socket> {
  const usable = source ? addresses.filter((address) => getSource(address, source) !== null) : addresses
  if (usable.length === 0) return Promise.reject(createFamilyFailure(source!))
  const untried = usable.slice(0, maxAddresses)
  const trying = new Set<Socket>()
  let headStart: NodeJS.Timeout | undefined

  return new Promise((resolve, reject) => {
    const cancelAttempts = () => {
      clearTimeout(headStart)
      signal.removeEventListener('abort', onAbort)
      untried.length = 0
      for (const socket of trying) socket.destroy()
    }
    const onAbort = () => {
      cancelAttempts()
      reject(signal.reason as Error)
    }
    const tryNext = () => {
      clearTimeout(headStart)
      const host = untried.shift()!
      const localAddress = source && getSource(host, source)
      const local = localAddress === null ? {} : { localAddress }
      const options = { host, port, noDelay: true, highWaterMark: bufferBytes, ...local }
      const socket = connectSocket(options)
      trying.add(socket)
      if (untried.length > 0) headStart = setTimeout(tryNext, headStartMs)
      socket.once('connect', () => {
        trying.delete(socket)
        cancelAttempts()
        resolve(socket)
      })
      socket.on('error', (error) => {
        trying.delete(socket)
        if (untried.length > 0) return tryNext()
        if (trying.size > 0) return
        cancelAttempts()
        reject(error)
      })
    }
    signal.addEventListener('abort', onAbort)
    tryNext()
  })
}

/** Returns the local address for a connection. Null if none is of the same family. */
function getSource(address: string, { ipv4, ipv6 }: SourceAddresses): string | null {
  return isIP(address) === 4 ? ipv4 : ipv6
}

function createFamilyFailure({ ipv4 }: SourceAddresses): Failure {
  const [missing, own] = ipv4 === null ? ['IPv6', 'an IPv6'] : ['IPv4', 'an IPv4']
  return new Failure(
    'other',
    `The receiver has no ${missing} address, and this service sends only from ${own} address.`,
  )
}

/** Starts TLS on an open connection. The certificate must match the name, regardless of the address. */
export function startTls(
  socket: Socket,
  { hostname, port }: { hostname: string; port: number },
  secureContext: SecureContext,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const name = hostname.replace(/^\[|\]$|\.$/g, '')
  return new Promise((resolve, reject) => {
    const secured = connectTls({
      socket,
      secureContext,
      host: name,
      // Server Name Indication allows only names (RFC 6066, section 3).
      servername: isIP(name) === 0 ? name : '',
      ALPNProtocols: ['http/1.1'],
      // Checked below instead: Node would destroy the connection before the certificate can be explained.
      rejectUnauthorized: false,
      minVersion: 'TLSv1.2',
    })
    const onAbort = () => secured.destroy(signal.reason as Error)
    signal.addEventListener('abort', onAbort)

    secured.once('secureConnect', () => {
      signal.removeEventListener('abort', onAbort)
      if (secured.authorized) return resolve(secured)
      // At run time, `authorizationError` is an error code, although Node's types declare an Error.
      const refused = Object.assign(new Error('not authorized'), { code: String(secured.authorizationError) })
      reject(explainTls(refused, name, port, secured.getPeerCertificate()))
      secured.destroy()
    })
    secured.on('error', (error: Error) => {
      signal.removeEventListener('abort', onAbort)
      reject(explainTls(error, name, port))
    })
  })
}

/** Trusts these authorities in addition to the well-known ones. Slower than a handshake, so call this only once. */
export function createTrustContext(authorities: readonly string[]): SecureContext {
  if (authorities.length === 0) return createSecureContext()
  return createSecureContext({ ca: [...rootCertificates, ...authorities] })
}
