/** Opens connections: resolves the name, checks its addresses, and connects only to the checked addresses. */
import { type Socket, connect as connectSocket, isIP } from 'node:net'
import {
  type SecureContext,
  type TLSSocket,
  connect as connectTls,
  createSecureContext,
  rootCertificates,
} from 'node:tls'

import type { Origin, Resolver } from './destination.js'
import { explainTls } from './explain-error.js'
import type { ConnectProgress } from './outcome.js'

export class Dialer {
  constructor(
    private readonly resolver: Resolver,
    private readonly trust: SecureContext,
  ) {}

  async dial(origin: Origin, progress: ConnectProgress, signal: AbortSignal): Promise<Socket> {
    progress.isNew = true
    progress.remoteAddress = null
    const addresses =
      this.resolver.getLiteralAddresses(origin.hostname) ??
      (await measureTime(this.resolver.resolveName(origin.hostname), (ms) => (progress.dnsMs = ms)))
    signal.throwIfAborted()

    progress.step = 'connect'
    const connecting = connectToFirst(addresses, origin.port, signal)
    const socket = await measureTime(connecting, (ms) => (progress.connectMs = ms))
    progress.remoteAddress = socket.remoteAddress ?? null
    if (!origin.secure) return socket

    progress.step = 'tls'
    const handshaking = startTls(socket, origin, this.trust, signal)
    return await measureTime(handshaking, (ms) => (progress.tlsMs = ms))
  }
}

/** Waits for a step and reports its duration, even if it fails. */
async function measureTime<T>(work: Promise<T>, report: (ms: number) => void): Promise<T> {
  const start = performance.now()
  try {
    return await work
  } finally {
    report(performance.now() - start)
  }
}

/** The delay before the next address is tried in parallel (RFC 8305, "Happy Eyeballs"). */
const headStartMs = 300
/** Maximum number of addresses to try, because a name may have thousands. */
const maxAddresses = 8
/** Small, so that a hostile receiver cannot fill a large buffer before the limits apply. */
const bufferBytes = 16 * 1024

/** Connects to the first address that accepts. Does not resolve names, so only checked addresses are used. */
function connectToFirst(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  const untried = addresses.slice(0, maxAddresses)
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
      const options = { host: untried.shift()!, port, noDelay: true, highWaterMark: bufferBytes }
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

/** Starts TLS on an open connection. The certificate must match the name, regardless of the address. */
function startTls(
  socket: Socket,
  { hostname, port }: Origin,
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
