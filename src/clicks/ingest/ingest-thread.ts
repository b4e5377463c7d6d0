/**
 * Runs the thread that writes clicks to the database, and exchanges messages with it. If the thread fails, it is
 * restarted: uncommitted clicks are still in the journal.
 */
import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'

import { sharedClock } from '../../platform/util/clock.js'
import { workerProgram } from '../../platform/util/program.js'
import type { ClickJournal } from '../journal/click-journal.js'
import type { JournalSegment } from '../journal/segments.js'
import { createReadableDurations } from './messages.js'
import type { FromIngest, IngestLog, IngestSettings, IngestWorkerData, ToIngest } from './messages.js'

/** The thread starts after this time if no click comes first. Adopted folders can wait until the service is ready. */
const startDelayMs = 3_000
/** Holds a whole batch of clicks, so that the garbage collector does not copy the batch repeatedly. */
const maxYoungGenerationSizeMb = 192
/** The thread is terminated this long after its deadline, because the database may be unresponsive. */
const terminateAfterMs = 500
/** A stopping thread is also terminated if it writes nothing for this long. */
const stuckAfterMs = 1_500
const minRestartMs = 1_000
const maxRestartMs = 30_000
/** The restart delay is reset after the thread has run for this long. */
const stableAfterMs = 60_000
/** Maximum time a redirect waits for a direct write to the database. */
const directTimeoutMs = 2_000
/** Direct writes fail immediately for this long after a failed one, so that redirects do not wait. */
const directPauseMs = 5_000

interface IngestThreadOptions {
  /** Returns the current settings. */
  settings: () => IngestSettings
  journal: ClickJournal
  onDeliveries: (webhookIds: readonly string[], isProven: boolean) => void
  log: IngestLog
  /** Starts the thread. For tests. */
  spawn?: (data: IngestWorkerData) => Worker
}

type WhenWritten = (isWritten: boolean) => void

export class IngestThread {
  /** Time from clicks to their commit. */
  readonly readable = createReadableDurations()
  private worker: Worker | null = null
  private ended: Promise<void> = Promise.resolve()
  private nextStart: NodeJS.Timeout | null = null
  private restartMs = minRestartMs
  private hasStarted = false
  private isStopping = false
  private stuck: NodeJS.Timeout | null = null
  private utilization = performance.eventLoopUtilization()
  private readonly direct = new Map<number, WhenWritten>()
  private directId = 0
  private directPausedUntil = 0

  constructor(private readonly options: IngestThreadOptions) {
    options.journal.readFrom({
      onClosed: (segment) => this.sendSegment(segment),
      onMoved: (folderId) => this.send({ kind: 'moved', folderId }),
      writeDirectly: (lines, whenWritten) => this.writeDirectly(lines, whenWritten),
    })
  }

  /**
   * Schedules the start of the thread, for the first click or shortly after startup. Loading the thread's code would
   * double the startup time of the service.
   */
  start(): void {
    this.nextStart = setTimeout(() => this.startThread(), startDelayMs).unref()
  }

  private startThread(): void {
    this.hasStarted = true
    if (this.nextStart) clearTimeout(this.nextStart)
    const { settings, journal, log, spawn = spawnIngest } = this.options
    const { root, folderId, segments } = journal
    const startedAt = performance.now()
    const worker = spawn({ settings: settings(), root, folderId, segments, clock: sharedClock() })
    this.worker = worker
    let reason = 'no error was reported'
    worker.on('message', (message: FromIngest) => this.receive(message))
    // A thread can throw any value, not only errors.
    worker.on('error', (error: unknown) => (reason = error instanceof Error ? error.message : String(error)))
    this.ended = new Promise((resolve) => {
      worker.on('exit', () => {
        this.worker = null
        for (const id of this.direct.keys()) this.endDirect(id, false)
        resolve()
        if (this.isStopping) return
        if (performance.now() - startedAt > stableAfterMs) this.restartMs = minRestartMs
        log.warn(`The click ingest thread ended and restarts in ${this.restartMs} ms: ${reason}`)
        this.nextStart = setTimeout(() => this.startThread(), this.restartMs).unref()
        this.restartMs = Math.min(2 * this.restartMs, maxRestartMs)
      })
    })
  }

  /** Writes pending clicks within this time. The remaining clicks are written after the next start. */
  async stop(withinMs: number): Promise<void> {
    // Closing a segment also starts the thread if it has not started yet.
    this.options.journal.closeSegment()
    this.isStopping = true
    if (this.nextStart) clearTimeout(this.nextStart)
    const { worker } = this
    if (!worker) return
    this.send({ kind: 'stop', withinMs })
    const terminate = (): void => void worker.terminate()
    const overtime = setTimeout(terminate, withinMs + terminateAfterMs)
    const stuck = setTimeout(terminate, stuckAfterMs)
    this.stuck = stuck
    await this.ended
    clearTimeout(overtime)
    clearTimeout(stuck)
  }

  private sendSegment(segment: JournalSegment): void {
    if (!this.hasStarted && !this.isStopping) return this.startThread()
    const utilization = performance.eventLoopUtilization()
    const busy = performance.eventLoopUtilization(utilization, this.utilization).utilization
    this.utilization = utilization
    const { shortUrlBase } = this.options.settings()
    this.send({ kind: 'closed', segment, load: { busy, fill: this.options.journal.fill }, shortUrlBase })
  }

  private writeDirectly(lines: Uint8Array, whenWritten: WhenWritten): void {
    if (!this.hasStarted && !this.isStopping) this.startThread()
    if (!this.worker || performance.now() < this.directPausedUntil) return whenWritten(false)
    const id = ++this.directId
    const timeout = setTimeout(() => this.endDirect(id, false), directTimeoutMs)
    this.direct.set(id, (isWritten) => {
      clearTimeout(timeout)
      whenWritten(isWritten)
    })
    this.send({ kind: 'direct', id, lines })
  }

  private endDirect(id: number, isWritten: boolean): void {
    this.directPausedUntil = isWritten ? 0 : performance.now() + directPauseMs
    const whenWritten = this.direct.get(id)
    this.direct.delete(id)
    whenWritten?.(isWritten)
  }

  private send(message: ToIngest): void {
    this.worker?.postMessage(message)
  }

  private receive(message: FromIngest): void {
    switch (message.kind) {
      case 'log':
        return this.options.log[message.level](message.message)
      case 'deliveries':
        return this.options.onDeliveries(message.webhookIds, message.isProven)
      case 'written':
        this.stuck?.refresh()
        return this.options.journal.noteWritten(message.paths, message.torn)
      case 'adopted':
        return this.options.journal.noteAdopted(message.bytes)
      case 'readable':
        return this.readable.addCounts(message.durations)
      case 'direct':
        return this.endDirect(message.id, message.isWritten)
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
