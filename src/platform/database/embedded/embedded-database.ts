/** A user's handle on the embedded database: a connection to the supervisor, which counts its users. */
import { once } from 'node:events'
import { createConnection } from 'node:net'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'

import { withTimeout } from '../../util/timers.js'
import type { DataFolder } from './data-folder.js'
import { findPostmaster, isSupervised } from './postmaster.js'
import { applicationRole } from './prepare-database.js'
import { stopServer } from './server.js'
import { readSupervisorFile } from './supervisor-file.js'
import type { DatabaseUse, Greeting } from './supervisor-file.js'

/** A killed supervisor leaves its file, and another program may have its port. A frozen server does not respond either. */
const respondsWithinMs = 2_000
/** The last user waits this long until the server has stopped. */
const stopTimeoutMs = 60_000

export class EmbeddedDatabase {
  private readonly listeners: ((error: Error) => void)[] = []
  private lost: Error | null = null
  private released: Promise<void> | null = null

  private constructor(
    private readonly folder: DataFolder,
    private readonly supervisor: Socket,
    readonly url: string,
  ) {}

  /** Returns null if there is no supervisor, or if the supervisor is stopping the database. */
  static async join(
    folder: DataFolder,
    use: DatabaseUse,
    password: string,
  ): Promise<EmbeddedDatabase | 'in use' | null> {
    const place = await readSupervisorFile(folder)
    if (!place) return null
    const supervisor = createConnection({ host: '127.0.0.1', port: place.port })
    const url = `postgres://${applicationRole}:${password}@127.0.0.1:${place.postgresPort}/${applicationRole}`
    const database = new EmbeddedDatabase(folder, supervisor, url)
    const greeting: Greeting = { key: place.key, use }
    supervisor.on('error', () => undefined)
    supervisor.write(JSON.stringify(greeting))
    const reply = await withTimeout(database.readFirstLine(), respondsWithinMs, null)
    if (reply === 'welcome') {
      supervisor.unref()
      return database
    }
    database.released = Promise.resolve()
    supervisor.destroy()
    return reply === 'in use' ? reply : null
  }

  /** Calls the listener when the server has stopped for good, or this process may no longer use it. */
  onLost(listener: (error: Error) => void): void {
    this.listeners.push(listener)
    if (this.lost) listener(this.lost)
  }

  /** Disconnects. For the last user, resolves once the server has stopped and no longer writes its files. */
  release(): Promise<void> {
    this.released ??= this.disconnect()
    return this.released
  }

  /** Resolves with the reply to the greeting. Each later line is the reason why the database was lost. */
  private readFirstLine(): Promise<string | null> {
    return new Promise((resolve) => {
      let isFirst = true
      // readline emits the errors of the socket again.
      const lines = createInterface({ input: this.supervisor }).on('error', () => undefined)
      lines.on('line', (line) => {
        if (isFirst) resolve(line)
        else this.reportLoss(line)
        isFirst = false
      })
      this.supervisor.on('close', () => {
        resolve(null)
        this.reportLoss('The supervisor of the embedded database was killed.')
      })
    })
  }

  private async disconnect(): Promise<void> {
    if (!this.supervisor.closed) {
      const closed = once(this.supervisor.ref().end(), 'close').then(() => true)
      // A server that has not begun to stop is frozen. Leave it to the supervisor.
      if (!(await withTimeout(closed, respondsWithinMs, false)) && (await this.isStopping()))
        await withTimeout(closed, stopTimeoutMs, false)
    }
    // If the supervisor was killed, the server may still run. Stop it here.
    const found = await findPostmaster(this.folder.cluster)
    if (found && !(await isSupervised(found.pid))) await stopServer(this.folder, found.pid)
  }

  private async isStopping(): Promise<boolean> {
    return (await findPostmaster(this.folder.cluster))?.status === 'stopping'
  }

  private reportLoss(message: string): void {
    if (this.released || this.lost) return
    this.lost = new Error(message)
    for (const listener of this.listeners) listener(this.lost)
  }
}
