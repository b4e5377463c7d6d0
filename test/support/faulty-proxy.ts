/** A TCP proxy that can cut its connections or delay what it forwards. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export class FaultyProxy {
  /** How long each chunk is held back, in each direction. */
  delayMs = 0
  private isCut = false
  private readonly sockets = new Set<Socket>()

  private constructor(
    private readonly server: Server,
    private target: URL,
    /** The URL of the target, through the proxy. */
    readonly url: string,
  ) {}

  static async start(targetUrl: string): Promise<FaultyProxy> {
    const server = createServer({ noDelay: true })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = new URL(targetUrl)
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const proxy = new FaultyProxy(server, new URL(targetUrl), url.href)
    server.on('connection', (client) => proxy.forward(client))
    return proxy
  }

  /** Forwards new connections to another target. The URL of the proxy does not change. */
  setTarget(targetUrl: string): void {
    this.target = new URL(targetUrl)
  }

  /** Closes all connections, and every new one. */
  cut(): void {
    this.isCut = true
    for (const socket of this.sockets) socket.destroy()
  }

  restore(): void {
    this.isCut = false
    this.delayMs = 0
  }

  async stop(): Promise<void> {
    this.cut()
    this.server.close()
    await once(this.server, 'close')
  }

  private forward(client: Socket): void {
    if (this.isCut) return void client.destroy()
    const target = connect({ port: Number(this.target.port), host: this.target.hostname, noDelay: true })
    this.forwardBytes(client, target)
    this.forwardBytes(target, client)
  }

  private forwardBytes(from: Socket, to: Socket): void {
    this.sockets.add(from)
    let held = Promise.resolve()
    let heldChunks = 0
    from.on('data', (bytes: Buffer) => {
      if (this.delayMs === 0 && heldChunks === 0) return void to.write(bytes)
      // Chunks wait for earlier chunks, even after the delay was removed.
      heldChunks += 1
      held = Promise.all([held, pause(this.delayMs)]).then(() => {
        heldChunks -= 1
        to.write(bytes)
      })
    })
    from.on('error', () => undefined)
    from.on('close', () => {
      this.sockets.delete(from)
      to.destroy()
    })
  }
}
