/** A proxy between a service and its database that records queries and can cut or silence connections. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'

type Kind = 'changes' | 'queries'

interface ProxiedConnection {
  kind: Kind
  client: Socket
  database: Socket
  silent: boolean
}

export class DatabaseProxy {
  private readonly connections = new Set<ProxiedConnection>()
  private readonly sent: Record<Kind, Buffer[]> = { changes: [], queries: [] }
  private readonly silencedKinds = new Set<Kind>()
  private silencingText: string | null = null
  private isRefusing = false
  private heldResponses: (() => void)[] | null = null

  private constructor(
    private readonly server: Server,
    private target: URL,
    readonly url: string,
  ) {}

  static async start(databaseUrl: string): Promise<DatabaseProxy> {
    const target = new URL(databaseUrl)
    const server = createServer()
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = new URL(databaseUrl)
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const proxy = new DatabaseProxy(server, target, url.href)
    server.on('connection', (client) => proxy.forwardConnection(client))
    return proxy
  }

  /** Returns the bytes that services have sent over connections of one kind since the last call. */
  takeSentBytes(kind: Kind): Buffer {
    return Buffer.concat(this.sent[kind].splice(0))
  }

  /** Stops forwarding on these connections in both directions, without closing them. */
  silenceConnections(...kinds: Kind[]): void {
    for (const kind of kinds) this.silencedKinds.add(kind)
    for (const link of this.connections) link.silent ||= this.silencedKinds.has(link.kind)
  }

  /** Stops forwarding on any connection that sends this text, without closing it. */
  silenceOnText(text: string): void {
    this.silencingText = text
  }

  /** Delays the database's responses to queries until they are released. */
  holdResponses(): void {
    this.heldResponses = []
  }

  get hasHeldResponses(): boolean {
    return this.heldResponses !== null && this.heldResponses.length > 0
  }

  releaseResponses(): void {
    const held = this.heldResponses ?? []
    this.heldResponses = null
    for (const deliver of held) deliver()
  }

  /** Forwards new connections to another database. The URL of the proxy does not change. */
  setTarget(databaseUrl: string): void {
    this.target = new URL(databaseUrl)
  }

  refuseConnections(): void {
    this.isRefusing = true
    for (const link of this.connections) closeConnection(link)
  }

  /** Closes silenced connections. New connections work again. */
  restoreConnections(): void {
    this.isRefusing = false
    this.silencedKinds.clear()
    this.silencingText = null
    for (const link of this.connections) if (link.silent) closeConnection(link)
  }

  async stop(): Promise<void> {
    for (const link of this.connections) closeConnection(link)
    this.server.close()
    await once(this.server, 'close')
  }

  private forwardConnection(client: Socket): void {
    if (this.isRefusing) return void client.destroy()
    const database = connect(Number(this.target.port), this.target.hostname)
    const link: ProxiedConnection = { kind: 'queries', client, database, silent: false }
    this.connections.add(link)
    for (const end of [client, database]) {
      end.on('error', () => undefined)
      end.on('close', () => {
        // A silenced connection must stay open.
        if (link.silent && end === database) return
        closeConnection(link)
        this.connections.delete(link)
      })
    }
    client.once('data', (greeting: Buffer) => {
      if (greeting.includes('link-service changes')) link.kind = 'changes'
      link.silent ||= this.silencedKinds.has(link.kind)
    })
    client.on('data', (bytes: Buffer) => {
      this.sent[link.kind].push(bytes)
      link.silent ||= this.silencingText !== null && bytes.includes(this.silencingText)
      if (!link.silent) database.write(bytes)
    })
    database.on('data', (bytes: Buffer) => {
      if (link.silent) return
      if (this.heldResponses && link.kind === 'queries') this.heldResponses.push(() => client.write(bytes))
      else client.write(bytes)
    })
  }
}

function closeConnection({ client, database }: ProxiedConnection): void {
  client.destroy()
  database.destroy()
}
