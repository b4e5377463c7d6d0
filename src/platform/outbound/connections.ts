/** The connections that are kept open for the next request to the same origin. */
import { Connection } from './connection.js'
import type { Dialer } from './dialer.js'
import type { Origin } from './origin.js'

export class Connections {
  /** By origin, the latest used at the end: the others grow old and close when there is less to do. */
  private readonly idle = new Map<string, Connection[]>()
  /** All of them, the longest unused first. */
  private readonly byAge = new Set<Connection>()

  /** The limit is over all origins: with 100,000 webhooks the files that a process may open would not last. */
  constructor(
    private readonly dialer: Dialer,
    private readonly mostIdle = 2000,
  ) {}

  take(origin: Origin): Connection {
    const connection = this.idle.get(origin.text)?.at(-1)
    if (!connection) return this.open(origin)
    this.forget(connection)
    return connection
  }

  open(origin: Origin): Connection {
    return new Connection(origin, this.dialer, this.forget)
  }

  release(connection: Connection): void {
    if (!connection.reusable) return connection.destroy()
    connection.rest()
    const { text } = connection.origin
    const others = this.idle.get(text)
    if (others) others.push(connection)
    else this.idle.set(text, [connection])
    this.byAge.add(connection)
    if (this.byAge.size > this.mostIdle) this.end(this.byAge.values().next().value!)
  }

  endAll(): void {
    for (const connection of this.byAge) this.end(connection)
  }

  private end(connection: Connection): void {
    this.forget(connection)
    connection.destroy()
  }

  private readonly forget = (connection: Connection): void => {
    if (!this.byAge.delete(connection)) return
    const { text } = connection.origin
    const others = this.idle.get(text)!
    if (others.at(-1) === connection) others.pop()
    else others.splice(others.indexOf(connection), 1)
    if (others.length === 0) this.idle.delete(text)
  }
}
