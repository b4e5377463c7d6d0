/** Runs an API and two workers under load, and compares the received webhooks with the created links. */
import { mkdtemp, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { OwnPostgres } from '../../support/own-postgres.js'
import { startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { findSequenceFaults, parseReceivedEvents } from '../../support/received-events.js'
import { startReceiver } from '../../support/receiver.js'
import type { Received, Receiver } from '../../support/receiver.js'
import { call, encryptionKey, pepper } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

const creators = 4
const batch = { max: 30, within: '1s' }
/** The webhooks, by path. */
const hooks: Record<string, object> = {
  '/a': {},
  '/b': {},
  '/ordered': { ordered: true },
  '/batches': { batch },
  '/ordered-batches': { batch, ordered: true },
}
const hookPaths = Object.keys(hooks)
/** The receiver rejects one of this many requests to these webhooks, with this status. */
const rejections: Record<string, { status: number; every: number }> = {
  '/ordered': { status: 500, every: 300 },
  '/batches': { status: 413, every: 10 },
  '/ordered-batches': { status: 500, every: 10 },
}

export class DeliveriesRig {
  api!: ServiceProcess
  readonly workers: ServiceProcess[] = []
  /** The links whose creation returned 201. */
  readonly acknowledged = new Set<string>()
  private token = ''
  private loading: Promise<unknown> = Promise.resolve()
  private isLoading = false

  private constructor(
    readonly db: OwnPostgres,
    readonly receiver: Receiver,
    private readonly dataDir: string,
  ) {}

  static async start(): Promise<DeliveriesRig> {
    const db = await OwnPostgres.start()
    const dataDir = await mkdtemp(join(tmpdir(), 'link service chaos '))
    const rig = new DeliveriesRig(db, await startReceiver(respond), dataDir)
    await rig.startApi()
    rig.token = rig.api.firstToken ?? ''
    for (const [path, fields] of Object.entries(hooks)) {
      const { status, text } = await rig.request('POST', '/v1/webhooks', {
        url: rig.receiver.origin + path,
        events: ['link.created'],
        ...fields,
      })
      if (status !== 201) throw new Error(`No webhook was created: ${text}`)
    }
    for (let i = 0; i < 2; i++) await rig.startWorker()
    return rig
  }

  async startApi(): Promise<void> {
    this.api = await startProcess(this.environment('api'))
  }

  async startWorker(): Promise<void> {
    this.workers.push(await startProcess(this.environment('worker')))
  }

  /** Kills the oldest worker. */
  async killWorker(): Promise<void> {
    const worker = this.workers.shift()!
    worker.kill()
    await worker.gone
  }

  async breakConnections(): Promise<void> {
    await this.db.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()`,
    )
  }

  startLoad(): void {
    this.isLoading = true
    this.loading = Promise.all(Array.from({ length: creators }, () => this.create()))
  }

  async stopLoad(): Promise<void> {
    this.isLoading = false
    await this.loading
  }

  /** Waits for all deliveries, and describes each one that is missing, repeated with changes or out of sequence. */
  async deliveryFaults(): Promise<string[]> {
    const missing = () =>
      hookPaths.flatMap((path) => {
        const present = new Set(
          this.receiver
            .requestsTo(path)
            .flatMap(parseReceivedEvents)
            .map(({ link }) => link),
        )
        return [...this.acknowledged].filter((id) => !present.has(id)).map((id) => `${path} lacks ${id}`)
      })
    await waitFor('all deliveries', () => missing().length === 0, 60_000).catch(() => undefined)
    await waitFor('the pending deliveries', () => this.nothingIsPending(), 30_000)
    return [...missing(), ...hookPaths.flatMap((path) => this.faultsAt(path))]
  }

  async stop(): Promise<void> {
    await this.stopLoad()
    await Promise.all([this.api, ...this.workers].map((each) => each.stop()))
    await this.receiver.stop()
    await this.db.drop()
    await rm(this.dataDir, { recursive: true, force: true })
  }

  private faultsAt(path: string): string[] {
    return findSequenceFaults(path, this.receiver.requestsTo(path), { isOrdered: 'ordered' in hooks[path]! })
  }

  private async nothingIsPending(): Promise<boolean> {
    const rows = await this.db.query(`SELECT FROM deliveries WHERE status = 'pending' LIMIT 1`)
    return rows.length === 0
  }

  private async create(): Promise<void> {
    while (this.isLoading) {
      const response = await this.request('POST', '/v1/links', { url: 'https://target.example/' }).catch(
        () => null,
      )
      if (response?.status === 201) this.acknowledged.add(response.body.id)
      else await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  private request(method: string, path: string, body: unknown) {
    return call(this.api.origin, method, path, { token: this.token, body })
  }

  private environment(role: string): Record<string, string> {
    return {
      ROLE: role,
      DATA_DIR: this.dataDir,
      DATABASE_URL: this.db.url,
      TOKEN_PEPPER: pepper,
      ENCRYPTION_KEY: encryptionKey,
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'error',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_RETRY_SCHEDULE: '1s,1s,1s,2s,2s,5s,5s,5s',
    }
  }
}

function respond({ path }: Received, response: ServerResponse): void {
  const rejection = rejections[path]
  const isRejected = rejection && Math.random() < 1 / rejection.every
  response.writeHead(isRejected ? rejection.status : 200).end()
}
