/** PostgreSQL, Redis, two APIs behind haproxy and three workers: for chaos tests and `npm run cluster`. */
import { mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { encryptionKey, pepper } from './built/test-settings.js'
import { FaultyProxy } from './faulty-proxy.js'
import { freePort } from './free-port.js'
import { startHaproxy } from './haproxy.js'
import type { TestHaproxy } from './haproxy.js'
import { OwnPostgres } from './own-postgres.js'
import { startProcess } from './process.js'
import type { ServiceProcess } from './process.js'
import { startRedis } from './redis.js'
import type { TestRedis } from './redis.js'

const plan = ['api 1', 'api 2', 'worker 1', 'worker 2', 'worker 3'] as const
const checkEveryMs = 250

export interface Replica {
  name: (typeof plan)[number]
  port: number
  dataDir: string
  process: ServiceProcess
}
export type PlannedReplica = Omit<Replica, 'process'>

export interface ClusterOptions {
  /** Settings of a process, which is about to start. */
  getSettings?: (replica: PlannedReplica) => Record<string, string>
  /** Prepares a new data folder. May return a function that reverts it before the folder is deleted. */
  prepareFolder?: (replica: PlannedReplica) => (() => void) | undefined
  onLogLine?: (name: string, line: string) => void
}

export class Cluster {
  readonly replicas: Replica[] = []
  haproxy!: TestHaproxy
  redis!: TestRedis
  redisProxy!: FaultyProxy
  /** Services connect through its proxy. */
  postgres!: OwnPostgres
  token = ''
  /** Functions that stop the started parts, oldest first. */
  private readonly stops: (() => unknown)[] = []

  private constructor(
    private readonly folder: string,
    /** The port of haproxy. */
    readonly port: number,
    private readonly options: ClusterOptions,
  ) {}

  static async start(options: ClusterOptions = {}): Promise<Cluster> {
    const folder = await mkdtemp(join(tmpdir(), 'link-service-cluster-'))
    const cluster = new Cluster(folder, await freePort(), options)
    cluster.stops.push(() => rm(folder, { recursive: true, force: true }))
    try {
      await cluster.startParts()
    } catch (error) {
      await cluster.stop()
      throw error
    }
    return cluster
  }

  get apis(): Replica[] {
    return this.replicas.filter(({ name }) => getRole(name) === 'api')
  }

  get workers(): Replica[] {
    return this.replicas.filter(({ name }) => getRole(name) === 'worker')
  }

  /** Starts a process that has ended, on the same port and data folder. */
  async startAgain(replica: Replica): Promise<void> {
    replica.process = await this.startProcess(replica)
  }

  /** Kills every process and deletes all data. */
  async stop(): Promise<void> {
    for (const { process } of this.replicas) process.kill()
    for (const { process } of this.replicas) await process.gone
    for (const stop of this.stops.splice(0).reverse()) await stop()
  }

  private async startParts(): Promise<void> {
    this.postgres = await OwnPostgres.start()
    this.stops.push(() => this.postgres.drop())
    this.redis = await startRedis()
    this.stops.push(() => this.redis.close())
    this.redisProxy = await FaultyProxy.start(this.redis.url)
    this.stops.push(() => this.redisProxy.stop())
    const [first, ...others] = await Promise.all(plan.map((name) => this.planReplica(name)))
    // The first process creates the tables and the first token.
    await this.startReplica(first!)
    this.token = this.replicas[0]!.process.firstToken ?? ''
    // Waits for all of them, so that `stop` finds those that have started.
    const results = await Promise.allSettled(others.map((planned) => this.startReplica(planned)))
    const failure = results.find(({ status }) => status === 'rejected')
    if (failure) throw (failure as PromiseRejectedResult).reason
    this.replicas.sort((a, b) => plan.indexOf(a.name) - plan.indexOf(b.name))
    this.haproxy = await startHaproxy(
      this.apis.map(({ port }) => port),
      checkEveryMs,
      this.port,
    )
    this.stops.push(() => this.haproxy.stop())
  }

  private async planReplica(name: Replica['name']): Promise<PlannedReplica> {
    const planned = { name, port: await freePort(), dataDir: join(this.folder, name) }
    mkdirSync(planned.dataDir)
    const revert = this.options.prepareFolder?.(planned)
    if (revert) this.stops.push(revert)
    return planned
  }

  private async startReplica(planned: PlannedReplica): Promise<void> {
    this.replicas.push({ ...planned, process: await this.startProcess(planned) })
  }

  private startProcess(replica: PlannedReplica): Promise<ServiceProcess> {
    const { onLogLine } = this.options
    return startProcess(
      this.getEnvironment(replica),
      undefined,
      onLogLine && ((line) => onLogLine(replica.name, line)),
    )
  }

  private getEnvironment(replica: PlannedReplica): Record<string, string> {
    return {
      RATE_LIMIT: 'off',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      // Longer than three failed checks, after which haproxy sends no more requests.
      SHUTDOWN_DELAY: '2s',
      ...this.options.getSettings?.(replica),
      ROLE: getRole(replica.name),
      PORT: String(replica.port),
      PUBLIC_URL: `http://127.0.0.1:${this.port}`,
      DATA_DIR: replica.dataDir,
      DATABASE_URL: this.postgres.url,
      MIGRATE: 'true',
      REDIS_URL: this.redisProxy.url,
      TOKEN_PEPPER: pepper,
      ENCRYPTION_KEY: encryptionKey,
    }
  }
}

function getRole(name: Replica['name']): string {
  return name.replace(/ \d$/, '')
}
