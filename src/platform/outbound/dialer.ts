/** Opens connections: to the checked addresses of a receiver, or through the egress proxy. */
import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'

import type { SourceAddresses } from '../config/egress-settings.js'
import type { Origin, Resolver } from './destination.js'
import type { EgressProxy } from './egress-proxy.js'
import type { ConnectProgress } from './outcome.js'
import { connectToFirst, startTls } from './sockets.js'

interface DialRoute {
  source: SourceAddresses | null
  /** Null to connect to receivers directly. */
  proxy: EgressProxy | null
}

export class Dialer {
  constructor(
    private readonly resolver: Resolver,
    private readonly trust: SecureContext,
    private readonly route: DialRoute = { source: null, proxy: null },
  ) {}

  async dial(origin: Origin, progress: ConnectProgress, signal: AbortSignal): Promise<Socket> {
    progress.isNew = true
    progress.remoteAddress = null
    const socket = this.route.proxy
      ? await this.openTunnel(this.route.proxy, origin, progress, signal)
      : await this.connect(origin, progress, signal)
    if (!origin.secure) return socket

    progress.step = 'tls'
    const handshaking = startTls(socket, origin, this.trust, signal)
    return await measureTime(handshaking, (ms) => (progress.tlsMs = ms))
  }

  private async connect(origin: Origin, progress: ConnectProgress, signal: AbortSignal): Promise<Socket> {
    const addresses =
      this.resolver.getLiteralAddresses(origin.hostname) ??
      (await measureTime(this.resolver.resolveName(origin.hostname), (ms) => (progress.dnsMs = ms)))
    signal.throwIfAborted()

    progress.step = 'connect'
    const connecting = connectToFirst({ addresses, port: origin.port, source: this.route.source }, signal)
    const socket = await measureTime(connecting, (ms) => (progress.connectMs = ms))
    progress.remoteAddress = socket.remoteAddress ?? null
    return socket
  }

  /** The proxy resolves names. Literal addresses are checked here, and the proxy must refuse private ones too. */
  private async openTunnel(
    proxy: EgressProxy,
    origin: Origin,
    progress: ConnectProgress,
    signal: AbortSignal,
  ): Promise<Socket> {
    this.resolver.getLiteralAddresses(origin.hostname)
    progress.step = 'connect'
    const opening = proxy.openTunnel(origin, progress.deadlineAt, signal)
    return await measureTime(opening, (ms) => (progress.connectMs = ms))
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
