import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'

import { sharedClock } from '../../platform/util/clock.js'
import { workerProgram } from '../../platform/util/worker-program.js'
import type { ClickJournal } from '../journal/click-journal.js'
import {
  type FromIngest,
  type IngestLog,
  type IngestSettings,
  type IngestWorkerData,
  Signals,
  type ToIngest,
} from './messages.js'

/** The thread starts after this time if no click comes first. Orphaned folders can wait until the service answers. */
const startWithinMs = 3_000
/**
 * A batch of clicks is large, and lives until it is written. With less room the garbage collector would copy it again
 * and again.
 */
const maxYoungGenerationSizeMb = 192
const sampleEveryMs = 250
const drainForMs = 2_000
/** The thread is terminated after this time, which is longer than the draining: the database may not answer. */
const endWithinMs = drainForMs + 500
const firstRestartMs = 1_000
const longestRestartMs = 30_000
/** A thread that lived this long had no trouble with its start, so the next restart is quick again. */
const livedMs = 60_000

interface IngestThreadOptions {
  /** The settings at the moment of the call. */
  settings: () => IngestSettings
  journal: ClickJournal
  onDeliveries: (webhookIds: readonly string[], isProven: boolean) => void
  log: IngestLog
  /** Starts another thread than the usual one. */
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

  /**
   * Starts the thread at the first click, or a little later than the service. Loading its program takes as much time as
   * the whole start.
   */
  start(): void {
    // Set as if the ingester slept, so that the first click wakes it.
    this.signals.sleep()
    this.nextStart = setTimeout(() => this.run(), startWithinMs).unref()
  }

  private run(): void {
    this.hasBegun = true
    if (this.nextStart) clearTimeout(this.nextStart)
    const { settings, journal, log, spawn = spawnIngest } = this.options
    const startedAt = performance.now()
    const worker = spawn({
      settings: settings(),
      journal: journal.shared,
      signals: this.signals.shared,
      clock: sharedClock(),
    })
    this.worker = worker
    let reason = 'it ended'
    worker.on('message', (message: FromIngest) => this.hear(message))
    // A thread can throw anything, not only errors.
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

  /** Runs after each group of clicks that is written, so it does as little as possible. */
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
  return new Worker(workerProgram('app/ingest-worker.js'), {
    workerData,
    name: 'ingest',
    resourceLimits: { maxYoungGenerationSizeMb },
  })
}
