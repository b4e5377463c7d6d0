/** A proxy between a service and its database that records queries and can cut or silence connections. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'

type Kind = 'changes' | 'queries'

interface Link {
  kind: Kind
  client: Socket
  database: Socket
  silent: boolean
}

export class DatabaseProxy {
  private readonly links = new Set<Link>()
  private readonly sent: Record<Kind, Buffer[]> = { changes: [], queries: [] }
  private readonly silenced = new Set<Kind>()
  private silencing: string | null = null
  private refusing = false
  private held: (() => void)[] | null = null

  private constructor(
    private readonly server: Server,
    private target: URL,
    readonly url: string,
  ) {}

  static async before(databaseUrl: string): Promise<DatabaseProxy> {
    const target = new URL(databaseUrl)
    const server = createServer()
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = new URL(databaseUrl)
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const proxy = new DatabaseProxy(server, target, url.href)
    server.on('connection', (client) => proxy.accept(client))
    return proxy
  }

  /** Returns the bytes that services have sent over connections of one kind since the last call. */
  takeSent(kind: Kind): Buffer {
    return Buffer.concat(this.sent[kind].splice(0))
  }

  /** Stops forwarding on these connections in both directions, without closing them. */
  silence(...kinds: Kind[]): void {
    for (const kind of kinds) this.silenced.add(kind)
    for (const link of this.links) link.silent ||= this.silenced.has(link.kind)
  }

  /** Stops forwarding on any connection that sends this text, without closing it. */
  silenceAt(text: string): void {
    this.silencing = text
  }

  /** Delays the database's responses to queries until they are released. */
  holdAnswers(): void {
    this.held = []
  }

  get holdsAnswers(): boolean {
    return this.held !== null && this.held.length > 0
  }

  letAnswersGo(): void {
    const held = this.held ?? []
    this.held = null
    for (const deliver of held) deliver()
  }

  /** Forwards new connections to another database. The URL of the proxy does not change. */
  turnTo(databaseUrl: string): void {
    this.target = new URL(databaseUrl)
  }

  refuse(): void {
    this.refusing = true
    for (const link of this.links) close(link)
  }

  /** Closes silenced connections. New connections work again. */
  heal(): void {
    this.refusing = false
    this.silenced.clear()
    this.silencing = null
    for (const link of this.links) if (link.silent) close(link)
  }

  async stop(): Promise<void> {
    for (const link of this.links) close(link)
    this.server.close()
    await once(this.server, 'close')
  }

  private accept(client: Socket): void {
    if (this.refusing) return void client.destroy()
    const database = connect(Number(this.target.port), this.target.hostname)
    const link: Link = { kind: 'queries', client, database, silent: false }
    this.links.add(link)
    for (const end of [client, database]) {
      end.on('error', () => undefined)
      end.on('close', () => {
        // A silenced connection must stay open.
        if (link.silent && end === database) return
        close(link)
        this.links.delete(link)
      })
    }
    client.once('data', (greeting: Buffer) => {
      if (greeting.includes('link-service changes')) link.kind = 'changes'
      link.silent ||= this.silenced.has(link.kind)
    })
    client.on('data', (bytes: Buffer) => {
      this.sent[link.kind].push(bytes)
      link.silent ||= this.silencing !== null && bytes.includes(this.silencing)
      if (!link.silent) database.write(bytes)
    })
    database.on('data', (bytes: Buffer) => {
      if (link.silent) return
      if (this.held && link.kind === 'queries') this.held.push(() => client.write(bytes))
      else client.write(bytes)
    })
  }
}

function close({ client, database }: Link): void {
  client.destroy()
  database.destroy()
}
