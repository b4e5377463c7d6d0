/** The right of one process to use the running server. It is watched while it lasts, and given back at the end. */
import { setTimeout } from 'node:timers/promises'

import type { Client } from 'pg'

import { every, withTimeout } from '../../util/timers.js'
import {
  applicationRole,
  closeSession,
  openLockSession,
  giveBackLocks,
  SessionLost,
  takeLocks,
} from './lock-session.js'
import type { DatabaseUse } from './lock-session.js'
import type { DataFolder } from './data-folder.js'
import { findPostmaster, runsOn } from './postmaster.js'
import type { Postmaster } from './postmaster.js'
import { isDown, stopServer } from './server.js'
import { startWatch } from './watch.js'

/** The interval of the checks whether somebody else told the server to stop. */
const lookEveryMs = 500
/** How long to wait for a server when leaving it. */
const respondsWithinMs = 2_000
/** How long to wait for a server that somebody else stops. It may wait for the sessions of other processes. */
const othersPatience = 10_000

interface Part {
  folder: DataFolder
  use: DatabaseUse
  password: string
  postmaster: Postmaster
  session: Client
}

export class EmbeddedDatabase {
  readonly url: string
  private readonly listeners: ((error: Error) => void)[] = []
  private lost: Error | null = null
  private released: Promise<void> | null = null
  private session: Client
  private regaining: Promise<void> = Promise.resolve()
  private watching: Client | null = null
  private endLooks: () => void = () => undefined

  constructor(private readonly part: Part) {
    this.url = `postgres://${applicationRole}:${part.password}@127.0.0.1:${part.postmaster.port}/${applicationRole}`
    this.session = part.session
    this.attend(part.session)
  }

  /** The listener runs when the server, or this process's right to use it, is gone for good. */
  onLost(listener: (error: Error) => void): void {
    this.listeners.push(listener)
    if (this.lost) listener(this.lost)
  }

  /** Gives the right back. The last process that does so stops the server. */
  release(): Promise<void> {
    this.released ??= this.leave()
    return this.released
  }

  /**
   * Checks again and again whether somebody else told the server to stop. After SIGTERM the server waits for its
   * sessions and refuses new ones, so a service would neither work nor end. The sessions hear nothing of it: only the
   * server's pid file says so.
   */
  noticeStop(): void {
    const { folder } = this.part
    this.endLooks = every({
      work: async () => {
        const found = await findPostmaster(folder.cluster)
        if (found?.status === 'stopping')
          this.lose(`The embedded database was told to stop by somebody else; its log is ${folder.log}.`)
      },
      waitMs: lookEveryMs,
      onFailure: () => undefined,
    })
  }

  /** Starts a session that ends the server once nobody uses it. A service starts another one when that session ends. */
  async watch(): Promise<void> {
    const { folder, postmaster, password, use } = this.part
    while (!this.hasLeft() && (await runsOn(postmaster.pid, folder.cluster))) {
      const client = await startWatch(folder, postmaster, password, use).catch(() => null)
      if (client) {
        this.watching = client
        if (this.hasLeft()) await closeSession(client)
        else if (use === 'service') client.once('end', () => void this.watch())
        return
      }
      await setTimeout(100)
    }
  }

  private hasLeft(): boolean {
    return this.released !== null
  }

  private async leave(): Promise<void> {
    const { folder, postmaster, password } = this.part
    this.endLooks()
    if (this.watching) await closeSession(this.watching)
    // The attempt to regain the locks ends when this process leaves. If it just succeeded, they are given back here.
    await this.regaining
    const left = await this.leaveBy(this.session)
    if (left || !(await runsOn(postmaster.pid, folder.cluster))) return
    // Only the connection was lost. A new one shows whether this process is the last user.
    const session = await openLockSession(folder, postmaster.port, password)
    if (session && (await this.leaveBy(session))) return
    // Somebody else told the server to stop. This waits for it, so that its files are at rest when this process ends.
    const found = await findPostmaster(folder.cluster)
    if (found?.status === 'stopping') await isDown(folder, postmaster.pid, othersPatience)
  }

  /** Resolves with false if the connection is gone. */
  private async leaveBy(session: Client): Promise<boolean> {
    const { folder, postmaster } = this.part
    try {
      // A server that does not respond is left running. The next start uses it again.
      if (await withTimeout(giveBackLocks(session), respondsWithinMs, false))
        await stopServer(folder, postmaster.pid)
      return true
    } catch (error) {
      if (!(error instanceof SessionLost)) throw error
      return false
    } finally {
      await closeSession(session)
    }
  }

  private attend(session: Client): void {
    session.once('end', () => {
      if (!this.released) this.regaining = this.regain()
    })
  }

  /** Takes the locks again. A server that restarts after the crash of one session drops all, and keeps its port. */
  private async regain(): Promise<void> {
    const { folder, postmaster, password, use } = this.part
    while (!this.released && (await runsOn(postmaster.pid, folder.cluster))) {
      try {
        const session = await openLockSession(folder, postmaster.port, password)
        const answer = session && (await takeLocks(session, use))
        if (session && answer !== 'taken') await closeSession(session)
        if (session && answer === 'taken') {
          this.session = session
          this.attend(session)
          return
        }
        if (answer === 'in use')
          return this.lose(`The data folder ${folder.dataDir} was taken by another instance.`)
      } catch (error) {
        if (!(error instanceof SessionLost)) return this.lose((error as Error).message)
      }
      await setTimeout(100)
    }
    this.lose(`The embedded database has stopped; its log is ${folder.log}.`)
  }

  private lose(message: string): void {
    if (this.released || this.lost) return
    this.endLooks()
    this.lost = new Error(message)
    for (const listener of this.listeners) listener(this.lost)
  }
}
