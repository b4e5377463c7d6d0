/** Runs the API as a process whose database can fail, next to a service that creates links and reads click counts. */
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { DatabaseProxy } from '../../support/database-proxy.js'
import { startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { encryptionKey, pepper, startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

export const secrets = { TOKEN_PEPPER: pepper, ENCRYPTION_KEY: encryptionKey }

export class JournalingProcess {
  private running: ServiceProcess | null = null

  private constructor(
    private readonly dataDir: string,
    readonly db: TestDatabase,
    readonly proxy: DatabaseProxy,
    readonly observer: Service,
  ) {}

  static async create(dataDir: string): Promise<JournalingProcess> {
    const db = await createDatabase()
    const proxy = await DatabaseProxy.start(db.url)
    return new JournalingProcess(dataDir, db, proxy, await startService({ db }))
  }

  get origin(): string {
    return this.running!.origin
  }

  async start(): Promise<void> {
    this.running = await startProcess({
      DATA_DIR: this.dataDir,
      DATABASE_URL: this.proxy.url,
      ...secrets,
      RATE_LIMIT: 'off',
      ROLE: 'api',
      LOG_LEVEL: 'silent',
    })
  }

  async kill(): Promise<void> {
    this.running!.kill()
    await this.running!.gone
  }

  async stop(): Promise<void> {
    await this.running?.stop()
    this.running = null
  }

  async visit(slug: string): Promise<void> {
    const { status } = await fetch(`${this.origin}/${slug}`, { redirect: 'manual' })
    expect(status).toBe(302)
  }

  async countClicks(linkId: string): Promise<number> {
    return (await this.observer.call('GET', `/v1/links/${linkId}`)).body.clicks.total
  }

  async close(): Promise<void> {
    this.proxy.restoreConnections()
    await this.stop()
    await this.observer.stop()
    await this.proxy.stop()
    await this.db.drop()
  }
}
