import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'

import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common'

import { EventSink } from '../events/ports.js'
import { type RunningSettings, SETTINGS } from '../platform/config/settings.js'
import { StartupError } from '../platform/config/startup-error.js'
import { openLocations } from './ingest/locations.js'
import {
  type FromIngest,
  type IngestLog,
  type IngestSettings,
  type IngestWorkerData,
  Signals,
  type ToIngest,
} from './ingest/messages.js'
import { ClickJournal } from './journal/click-journal.js'

/** Holds the journal of this process, and the thread that drains it. */
@Injectable()
export class ClickRecorder
  implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  private readonly logger = new Logger(ClickRecorder.name)
  private opened: ClickJournal | null = null
  private thread: IngestThread | null = null

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly events: EventSink,
  ) {}

  get journal(): ClickJournal {
    if (!this.opened) throw new Error('the click journal is opened when the application starts')
    return this.opened
  }

  /** A GEOIP_DB that cannot be read stops the start. The ingest thread opens it again for itself. */
  async onModuleInit(): Promise<void> {
    if (this.settings.geoipDb !== null) await openLocations(this.settings.geoipDb)
  }

  onApplicationBootstrap(): void {
    try {
      this.opened = new ClickJournal({
        dataDir: this.settings.dataDir,
        maxBytes: this.settings.journalMaxBytes,
        onFault: (error) => this.logger.error(`The click journal: ${error.message}`),
      })
    } catch (error) {
      throw new StartupError(
        `The click journal cannot be kept in ${this.settings.dataDir}: ${(error as Error).message}. Set DATA_DIR to a folder that can be written.`,
      )
    }
    this.thread = new IngestThread({
      settings: () => this.ingestSettings(),
      journal: this.opened,
      onDeliveries: (webhookIds, isProven) => this.events.wake(webhookIds, isProven),
      log: {
        info: (message) => this.logger.log(message),
        warn: (message) => this.logger.warn(message),
      },
    })
    this.thread.start()
  }

  /** Stops ingest while the database is still there. Later clicks wait in the journal for the next start. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.thread?.stop()
  }

  async onApplicationShutdown(): Promise<void> {
    await this.opened?.close()
  }

  private ingestSettings(): IngestSettings {
    const { databaseUrl, clickIp, geoipDb, shortUrlBase } = this.settings
    return { databaseUrl, clickIp, geoipDb, shortUrlBase }
  }
}

/** Without a click: what dead processes have left can wait until the service has begun to answer. */
const startWithinMs = 3_000
/** A batch of clicks is large, and lives until it is written: with less room it would be copied again and again. */
const maxYoungGenerationSizeMb = 192
const sampleEveryMs = 250
const drainForMs = 2_000
/** Behind the draining, for statements that nobody answers. */
const endWithinMs = drainForMs + 1_000
const firstRestartMs = 1_000
const longestRestartMs = 30_000
/** A thread that lived so long had no trouble with its start. */
const livedMs = 60_000

interface IngestThreadOptions {
  /** As they are at that moment. */
  settings: () => IngestSettings
  journal: ClickJournal
  onDeliveries: (webhookIds: readonly string[], isProven: boolean) => void
  log: IngestLog
  /** In place of the usual thread. */
  spawn?: (data: IngestWorkerData) => Worker
}

/**
 * The thread that takes clicks into the database, as the thread that serves sees it. It is started again when it fails:
 * what it had not committed is still in the journal.
 */
export class IngestThread {
  private readonly signals = new Signals()
  private worker: Worker | null = null
  private ended: Promise<void> = Promise.resolve()
  private nextStart: NodeJS.Timeout | null = null
  private restartMs = firstRestartMs
  private hasBegun = false
  private isStopping = false
  private sampledAt = 0
  private utilization = performance.eventLoopUtilization()

  constructor(private readonly options: IngestThreadOptions) {
    options.journal.listen({
      onWritten: () => this.noticeWritten(),
      onRenewed: (folder) => this.tell({ kind: 'renewed', folder }),
    })
  }

  /** At the first click, or a little later than the service: loading its program takes as much time as the whole start. */
  start(): void {
    // As if it slept: the first click wakes it.
    this.signals.sleep()
    this.nextStart = setTimeout(() => this.run(), startWithinMs).unref()
  }

  private run(): void {
    this.hasBegun = true
    if (this.nextStart) clearTimeout(this.nextStart)
    const { settings, journal, log, spawn = spawnIngest } = this.options
    const startedAt = performance.now()
    const worker = spawn({ settings: settings(), journal: journal.shared, signals: this.signals.shared })
    this.worker = worker
    let reason = 'it ended'
    worker.on('message', (message: FromIngest) => this.hear(message))
    // Anything can be thrown there, also what is no error.
    worker.on('error', (error: unknown) => (reason = error instanceof Error ? error.message : String(error)))
    this.ended = new Promise((resolve) => {
      worker.on('exit', () => {
        this.worker = null
        resolve()
        if (this.isStopping) return
        if (performance.now() - startedAt > livedMs) this.restartMs = firstRestartMs
        log.warn(`The thread that counts clicks is started again in ${this.restartMs} ms: ${reason}`)
        this.nextStart = setTimeout(() => this.run(), this.restartMs).unref()
        this.restartMs = Math.min(2 * this.restartMs, longestRestartMs)
      })
    })
  }

  /** Drains what is there as far as the time allows; the rest is for the next start. */
  async stop(): Promise<void> {
    this.isStopping = true
    if (this.nextStart) clearTimeout(this.nextStart)
    const { worker } = this
    if (!worker) return
    this.tell({ kind: 'stop', withinMs: drainForMs })
    const impatience = setTimeout(() => void worker.terminate(), endWithinMs)
    await this.ended
    clearTimeout(impatience)
  }

  /** Runs once for each turn of the event loop that has clicks, so it does as little as possible. */
  private noticeWritten(): void {
    const now = performance.now()
    if (now - this.sampledAt >= sampleEveryMs) this.sample(now)
    if (!this.signals.wake()) return
    if (this.hasBegun) this.tell({ kind: 'written', shortUrlBase: this.options.settings().shortUrlBase })
    else if (!this.isStopping) this.run()
  }

  private sample(now: number): void {
    const utilization = performance.eventLoopUtilization()
    const busy = performance.eventLoopUtilization(utilization, this.utilization).utilization
    this.sampledAt = now
    this.utilization = utilization
    this.signals.sample({ busy, fill: this.options.journal.fill })
  }

  private tell(message: ToIngest): void {
    this.worker?.postMessage(message)
  }

  private hear(message: FromIngest): void {
    switch (message.kind) {
      case 'log':
        return this.options.log[message.level](message.message)
      case 'deliveries':
        return this.options.onDeliveries(message.webhookIds, message.isProven)
    }
  }
}

export function spawnIngest(workerData: IngestWorkerData): Worker {
  return new Worker(programUrl(), {
    workerData,
    name: 'ingest',
    resourceLimits: { maxYoungGenerationSizeMb },
  })
}

/** Beside this file once it is compiled. A test runs this file from its source, but a thread loads compiled files only. */
function programUrl(): URL {
  const isSource = import.meta.url.endsWith('.ts')
  return new URL(isSource ? '../../dist/app/ingest-worker.js' : '../app/ingest-worker.js', import.meta.url)
}
