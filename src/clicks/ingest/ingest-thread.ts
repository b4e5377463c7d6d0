/**
 * The thread that writes clicks to the database, as the serving thread sees it. The thread is started again when it
 * fails: what it had not committed is still in the journal.
 */
import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'

import { sharedClock } from '../../platform/util/clock.js'
import { workerProgram } from '../../platform/util/worker-program.js'
import type { ClickJournal } from '../journal/click-journal.js'
import type { JournalSegment } from '../journal/segments.js'
import type { FromIngest, IngestLog, IngestSettings, IngestWorkerData, ToIngest } from './messages.js'

/** The thread starts after this time if no click comes first. Orphaned folders can wait until the service answers. */
const startWithinMs = 3_000
/**
 * A batch of clicks is large, and lives until it is written. With less room the garbage collector would copy it again
 * and again.
 */
const maxYoungGenerationSizeMb = 192
/** The thread is terminated when it has not ended this long after its deadline: the database may not answer. */
const overtimeMs = 500
/** A stopping thread is also terminated when it has written nothing for this long: the database does not respond. */
const stuckAfterMs = 1_500
const firstRestartMs = 1_000
const longestRestartMs = 30_000
/** A thread that lived this long had no trouble with its start, so the next restart is quick again. */
const livedMs = 60_000
/** Visitors whose clicks cannot be written to the disk wait for the database this long at most. */
const directWithinMs = 2_000
/** How long direct writes pause after one timed out, so that visitors do not wait. */
const directRestMs = 5_000

interface IngestThreadOptions {
  /** The settings at the moment of the call. */
  settings: () => IngestSettings
  journal: ClickJournal
  onDeliveries: (webhookIds: readonly string[], isProven: boolean) => void
  log: IngestLog
  /** Starts another thread than the usual one. */
  spawn?: (data: IngestWorkerData) => Worker
}

type WhenWritten = (isWritten: boolean) => void

export class IngestThread {
  private worker: Worker | null = null
  private ended: Promise<void> = Promise.resolve()
  private nextStart: NodeJS.Timeout | null = null
  private restartMs = firstRestartMs
  private hasBegun = false
  private isStopping = false
  private stuck: NodeJS.Timeout | null = null
  private utilization = performance.eventLoopUtilization()
  private readonly direct = new Map<number, WhenWritten>()
  private directId = 0
  private directAgainAt = 0

  constructor(private readonly options: IngestThreadOptions) {
    options.journal.readFrom({
      onClosed: (segment) => this.passOn(segment),
      onMoved: (folderId) => this.tell({ kind: 'moved', folderId }),
      writeDirectly: (lines, whenWritten) => this.writeDirectly(lines, whenWritten),
    })
  }

  /**
   * Starts the thread at the first click, or a little later than the service. Loading its program takes as much time as
   * the whole start.
   */
  start(): void {
    this.nextStart = setTimeout(() => this.run(), startWithinMs).unref()
  }

  private run(): void {
    this.hasBegun = true
    if (this.nextStart) clearTimeout(this.nextStart)
    const { settings, journal, log, spawn = spawnIngest } = this.options
    const { root, folderId, segments } = journal
    const startedAt = performance.now()
    const worker = spawn({ settings: settings(), root, folderId, segments, clock: sharedClock() })
    this.worker = worker
    let reason = 'it ended'
    worker.on('message', (message: FromIngest) => this.receive(message))
    // A thread can throw anything, not only errors.
    worker.on('error', (error: unknown) => (reason = error instanceof Error ? error.message : String(error)))
    this.ended = new Promise((resolve) => {
      worker.on('exit', () => {
        this.worker = null
        for (const id of this.direct.keys()) this.endDirect(id, false)
        resolve()
        if (this.isStopping) return
        if (performance.now() - startedAt > livedMs) this.restartMs = firstRestartMs
        log.warn(`The thread that counts clicks is started again in ${this.restartMs} ms: ${reason}`)
        this.nextStart = setTimeout(() => this.run(), this.restartMs).unref()
        this.restartMs = Math.min(2 * this.restartMs, longestRestartMs)
      })
    })
  }

  /** Writes what waits as far as the time allows. The rest is for the next start. */
  async stop(withinMs: number): Promise<void> {
    // This also starts the thread if it has not begun and there are clicks.
    this.options.journal.closeSegment()
    this.isStopping = true
    if (this.nextStart) clearTimeout(this.nextStart)
    const { worker } = this
    if (!worker) return
    this.tell({ kind: 'stop', withinMs })
    const end = (): void => void worker.terminate()
    const overtime = setTimeout(end, withinMs + overtimeMs)
    const stuck = setTimeout(end, stuckAfterMs)
    this.stuck = stuck
    await this.ended
    clearTimeout(overtime)
    clearTimeout(stuck)
  }

  private passOn(segment: JournalSegment): void {
    if (!this.hasBegun && !this.isStopping) return this.run()
    const utilization = performance.eventLoopUtilization()
    const busy = performance.eventLoopUtilization(utilization, this.utilization).utilization
    this.utilization = utilization
    const { shortUrlBase } = this.options.settings()
    this.tell({ kind: 'closed', segment, load: { busy, fill: this.options.journal.fill }, shortUrlBase })
  }

  private writeDirectly(lines: Uint8Array, whenWritten: WhenWritten): void {
    if (!this.hasBegun && !this.isStopping) this.run()
    if (!this.worker || performance.now() < this.directAgainAt) return whenWritten(false)
    const id = ++this.directId
    const tooLate = setTimeout(() => this.endDirect(id, false), directWithinMs)
    this.direct.set(id, (isWritten) => {
      clearTimeout(tooLate)
      whenWritten(isWritten)
    })
    this.tell({ kind: 'direct', id, lines })
  }

  private endDirect(id: number, isWritten: boolean): void {
    this.directAgainAt = isWritten ? 0 : performance.now() + directRestMs
    const whenWritten = this.direct.get(id)
    this.direct.delete(id)
    whenWritten?.(isWritten)
  }

  private tell(message: ToIngest): void {
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
        return this.options.journal.forgetSegments(message.paths, message.torn)
      case 'adopted':
        return this.options.journal.noteAdopted(message.bytes)
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
