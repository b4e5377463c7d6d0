/** A PostgreSQL server for one test, which may crash. Its proxy keeps the URL for the service. */
import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'

import { copyDataFolder } from './data-folder.js'
import { DatabaseHolder } from './database-holder.js'
import type { TestDatabase } from './database.js'
import { FaultyProxy } from './faulty-proxy.js'

export class OwnPostgres implements TestDatabase {
  private constructor(
    private readonly dataDir: string,
    readonly proxy: FaultyProxy,
    private holder: DatabaseHolder,
  ) {}

  static async start(): Promise<OwnPostgres> {
    const dataDir = await mkdtemp(join(tmpdir(), 'link service postgres '))
    // `npm run cluster` has no folder to copy, and the first process of the service creates the tables.
    if (process.env['TEST_DATA_FOLDER']) await copyDataFolder(dataDir)
    const holder = new DatabaseHolder(dataDir, 'service')
    return new OwnPostgres(dataDir, await FaultyProxy.start(await holder.url()), holder)
  }

  get url(): string {
    return this.proxy.url
  }

  /** Kills all processes of the server, like a crash. The next start recovers from the WAL. */
  async crashAndRestart(): Promise<void> {
    const lost = this.holder.next()
    process.kill(await this.serverPid(), 'SIGQUIT')
    await lost
    await this.holder.kill()
    this.holder = new DatabaseHolder(this.dataDir, 'service')
    this.proxy.setTarget(await this.holder.url())
  }

  /** Suspends every process of the server. Connections stay open without responses. */
  async freeze(): Promise<void> {
    for (const pid of await this.serverPids()) process.kill(pid, 'SIGSTOP')
  }

  async thaw(): Promise<void> {
    for (const pid of await this.serverPids()) process.kill(pid, 'SIGCONT')
  }

  async query<T = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<T[]> {
    const client = new pg.Client(this.url)
    await client.connect()
    try {
      return (await client.query(sql, values)).rows as T[]
    } finally {
      await client.end()
    }
  }

  async drop(): Promise<void> {
    await this.proxy.stop()
    await this.holder.release()
    await rm(this.dataDir, { recursive: true, force: true })
  }

  private async serverPid(): Promise<number> {
    return parseInt(await readFile(join(this.dataDir, 'postgres/postmaster.pid'), 'utf8'))
  }

  /** The postmaster is first, so that a suspended server starts no unlisted process. */
  private async serverPids(): Promise<number[]> {
    const postmaster = await this.serverPid()
    const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
    return [postmaster, ...children.trim().split(/\s+/).map(Number)]
  }
}
