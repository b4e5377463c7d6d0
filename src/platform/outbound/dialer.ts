/** Opens connections: the name is looked up, its addresses are checked, and these very addresses are connected to. */
import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'

import { connectFirst } from './connect-first.js'
import { handshake } from './handshake.js'
import type { Origin } from './origin.js'
import { timed } from './progress.js'
import type { Progress } from './progress.js'
import type { Resolver } from './resolver.js'

export class Dialer {
  constructor(
    private readonly resolver: Resolver,
    private readonly trust: SecureContext,
  ) {}

  async dial(origin: Origin, progress: Progress, signal: AbortSignal): Promise<Socket> {
    progress.fresh = true
    progress.remoteAddress = null
    const addresses =
      this.resolver.written(origin.hostname) ??
      (await timed(this.resolver.resolve(origin.hostname), (ms) => (progress.dnsMs = ms)))
    signal.throwIfAborted()

    progress.step = 'connection'
    const connecting = connectFirst(addresses, origin.port, signal)
    const socket = await timed(connecting, (ms) => (progress.connectMs = ms))
    progress.remoteAddress = socket.remoteAddress ?? null
    if (!origin.secure) return socket

    progress.step = 'handshake'
    const shaking = handshake(socket, origin, this.trust, signal)
    return await timed(shaking, (ms) => (progress.tlsMs = ms))
  }
}
