/** An API and two workers, which tests kill, and a receiver that sometimes rejects a request. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Random } from '../../support/click-world.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { startReceiver } from '../../support/receiver.js'
import type { Received, Receiver } from '../../support/receiver.js'
import { call, encryptionKey, pepper } from '../../support/service.js'
import type { ServiceResponse } from '../../support/service.js'

/** The receiver rejects one of this many requests. */
const requestsPerFailure = 15

interface ReceivedEvent {
  id: string
  type: string
  sequence: number
}

export class FilterRig {
  token = ''
  private api!: ServiceProcess
  private readonly workers: ServiceProcess[] = []
  private readonly accepted: Received[] = []
  private receiver!: Receiver

  private constructor(
    readonly db: TestDatabase,
    private readonly dataDir: string,
  ) {}

  static async start(random: Random): Promise<FilterRig> {
    const rig = new FilterRig(await createDatabase(), await mkdtemp(join(tmpdir(), 'link service filters ')))
    rig.receiver = await startReceiver((request, response) => {
      const isRejected = random.nextInteger(requestsPerFailure) === 0
      if (!isRejected) rig.accepted.push(request)
      response.writeHead(isRejected ? 500 : 200).end()
    })
    rig.api = await startProcess(rig.environment('api'))
    rig.token = rig.api.firstToken ?? ''
    await Promise.all([rig.startWorker(), rig.startWorker()])
    return rig
  }

  get origin(): string {
    return this.api.origin
  }

  get receiverOrigin(): string {
    return this.receiver.origin
  }

  call(method: string, path: string, body?: unknown, token = this.token): Promise<ServiceResponse> {
    return call(this.api.origin, method, path, { token, ...(body === undefined ? {} : { body }) })
  }

  /** Like `call`, and fails unless the response has the status. */
  async callFor(
    status: number,
    method: string,
    path: string,
    body?: unknown,
    token = this.token,
  ): Promise<any> {
    const response = await this.call(method, path, body, token)
    if (response.status !== status) throw new Error(`${method} ${path}: ${response.status} ${response.text}`)
    return response.body
  }

  killApi(): void {
    this.api.kill()
  }

  /** Starts the API again after it was killed. */
  async restartApi(): Promise<void> {
    await this.api.gone
    this.api = await startProcess(this.environment('api'))
  }

  /** Kills the oldest worker and starts another one. */
  async replaceWorker(): Promise<void> {
    const worker = this.workers.shift()!
    worker.kill()
    await worker.gone
    await this.startWorker()
  }

  /** Returns the accepted events of a path in order of arrival. Each request contains one event, or a batch. */
  readReceived(path: string): ReceivedEvent[] {
    return this.accepted
      .filter((request) => request.path === path)
      .flatMap(({ headers, body }) => {
        const parsed = JSON.parse(body)
        return parsed.events ?? [{ ...parsed, sequence: Number(headers['webhook-sequence']) }]
      })
  }

  /** Returns the IDs of all events that a path received, including those of rejected requests. */
  readSentIds(path: string): Set<string> {
    const requests = this.receiver.requestsTo(path).map(({ body }) => JSON.parse(body))
    return new Set(
      requests.flatMap(({ id, events }) => events?.map((event: ReceivedEvent) => event.id) ?? [id]),
    )
  }

  async stop(): Promise<void> {
    await Promise.all([this.api, ...this.workers].map((each) => each.stop()))
    await this.receiver.stop()
    await this.db.drop()
    await rm(this.dataDir, { recursive: true, force: true })
  }

  private async startWorker(): Promise<void> {
    this.workers.push(await startProcess(this.environment('worker')))
  }

  private environment(role: string): Record<string, string> {
    return {
      ROLE: role,
      DATA_DIR: this.dataDir,
      DATABASE_URL: this.db.url,
      TOKEN_PEPPER: pepper,
      ENCRYPTION_KEY: encryptionKey,
      RATE_LIMIT: 'off',
      WORKSPACE_RATE_LIMIT: 'off',
      LOG_LEVEL: 'error',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_RETRY_SCHEDULE: '1s,1s,1s,2s,2s,5s,5s,5s',
    }
  }
}
