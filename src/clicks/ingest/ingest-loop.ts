/** Writes the clicks of the journal to the database until the service stops. */
import { currentMs } from '../../platform/util/clock.js'
import { decodeLines } from '../journal/click-line.js'
import type { Click } from '../journal/click-line.js'
import { readSegment } from '../journal/segments.js'
import type { JournalSegment } from '../journal/segments.js'
import type { SegmentQueue } from '../journal/segment-queue.js'
import type { ClickIngester } from './click-ingester.js'
import {
  type MachineLoad,
  ingestPace,
  limitedPace,
  measureEveryMs,
  computePause,
  unlimitedPace,
} from './ingest-pace.js'
import type { Pace } from './ingest-pace.js'
import { createReadableDurations } from './messages.js'
import type { FromIngest, IngestLog } from './messages.js'

const pauseAfterFailureMs = 1_000
const smallBatches: Pace = { ...unlimitedPace, bytesPerBatch: limitedPace.bytesPerBatch }
/** An idle loop checks the queue after this time for folders of ended processes. */
const idleCheckMs = 30_000

/** Lines that could not be written to disk. Their redirects are sent after this write. */
interface DirectLines {
  id: number
  lines: Uint8Array
}

interface IngestLoopOptions {
  queue: SegmentQueue
  ingester: ClickIngester
  machine: MachineLoad
  send: (message: FromIngest) => void
  log: IngestLog
}

export class IngestLoop {
  private readonly readable = createReadableDurations()
  private direct: DirectLines[] = []
  private isFailing = false
  private isIdle = false
  /** Direct writes fail immediately during the pause after a failed direct write. */
  private isRecovering = false
  /** After a failure, the queue is not read until this time. Null after a success. */
  private queuePausedUntil: number | null = null
  private hasWork = false
  private deadline = Infinity
  private endPause: () => void = () => undefined

  constructor(private readonly options: IngestLoopOptions) {}

  /** Wakes the loop after a segment was added to the queue. */
  wake(): void {
    this.hasWork = true
    if (this.isIdle) this.endPause()
  }

  writeDirectly(group: DirectLines): void {
    this.direct.push(group)
    if (this.isRecovering) return this.rejectDirect()
    this.hasWork = true
    this.endPause()
  }

  /** Stops the loop within this time. Remaining segments are written after the next start. */
  stop(withinMs: number): void {
    this.deadline = Date.now() + withinMs
    this.hasWork = true
    this.endPause()
  }

  /** Runs the loop. Resolves after `stop`, when all clicks are written or the time is over. */
  async runUntilStopped(): Promise<void> {
    while (Date.now() < this.deadline) {
      this.hasWork = false
      // Small batches during shutdown report progress often. The serving thread terminates a thread without progress.
      const pace = this.isStopping ? smallBatches : ingestPace(this.options.machine.readLoad())
      const startedAt = performance.now()
      const clicks = await this.ingest(pace)
      if (clicks === null && this.isStopping) break
      else if (clicks === null) await this.waitAfterFailure()
      else if (clicks > 0) await this.keepPace(computePause(clicks, performance.now() - startedAt, pace))
      else if (this.isStopping) break
      else await this.waitForWork()
    }
    await this.options.ingester.close()
  }

  /** Writes one batch. Returns its number of clicks (at least 1 for a segment), or null if a direct write failed. */
  private async ingest(pace: Pace): Promise<number | null> {
    let direct: number
    try {
      direct = await this.ingestDirect()
    } catch (error) {
      this.noteFailure(error as Error)
      return null
    }
    if ((this.queuePauseMs ?? 0) > 0 && !this.isStopping) return direct
    try {
      // Also after direct writes, so that a full journal is drained even if redirects always wait for direct writes.
      const queued = await this.ingestQueued(direct > 0 ? smallBatches : pace)
      this.queuePausedUntil = null
      if (direct > 0) this.noteSuccess()
      return direct + queued
    } catch (error) {
      // The database may still accept new clicks: a single old segment can fail, for example on a lock.
      this.noteFailure(error as Error)
      this.queuePausedUntil = performance.now() + pauseAfterFailureMs
      return direct
    }
  }

  private noteFailure({ message }: Error): void {
    if (!this.isFailing)
      this.options.log.warn(`Clicks cannot be moved from the journal to the database: ${message}`)
    this.isFailing = true
  }

  private noteSuccess(): void {
    if (this.isFailing) this.options.log.info('Clicks are written to the database again.')
    this.isFailing = false
  }

  private async ingestDirect(): Promise<number> {
    const groups = [...this.direct]
    if (groups.length === 0) return 0
    const clicks = groups.flatMap(({ lines }) => decodeLines(lines).clicks)
    await this.options.ingester.writeClicks(clicks)
    this.direct = this.direct.slice(groups.length)
    for (const { id } of groups) this.options.send({ kind: 'direct', id, isWritten: true })
    this.reportReadable(clicks)
    return clicks.length
  }

  private async ingestQueued({ bytesPerBatch }: Pace): Promise<number> {
    const { queue, send } = this.options
    const segments = await queue.nextSegments(bytesPerBatch)
    if (segments.length === 0) return 0
    const { clicks, torn, written } = await ingestSegments(this.options, segments)
    // Without clicks, the database was not used: no segment could be read.
    if (clicks.length > 0) this.noteSuccess()
    send({ kind: 'written', paths: written.map(({ path }) => path), torn })
    this.reportReadable(clicks)
    return Math.max(1, clicks.length)
  }

  private reportReadable(clicks: readonly Click[]): void {
    if (clicks.length === 0) return
    const now = currentMs()
    for (const { time } of clicks) this.readable.observe(Math.max(0, now - time) / 1000)
    this.options.send({ kind: 'readable', durations: this.readable.drain() })
  }

  private rejectDirect(): void {
    for (const { id } of this.direct.splice(0)) this.options.send({ kind: 'direct', id, isWritten: false })
  }

  private get isStopping(): boolean {
    return this.deadline !== Infinity
  }

  private get queuePauseMs(): number | null {
    return this.queuePausedUntil === null ? null : Math.max(0, this.queuePausedUntil - performance.now())
  }

  private async waitForWork(): Promise<void> {
    this.isIdle = true
    // A segment may have been added after the queue was read.
    if (!this.hasWork) await this.pause(this.queuePauseMs ?? idleCheckMs)
    this.isIdle = false
  }

  private async waitAfterFailure(): Promise<void> {
    this.rejectDirect()
    this.isRecovering = true
    await this.pause(pauseAfterFailureMs)
    this.isRecovering = false
  }

  /** Pauses to keep the pace. Ends early if the pace becomes unlimited or redirects wait for a direct write. */
  private async keepPace(pauseMs: number): Promise<void> {
    const endsAt = performance.now() + pauseMs
    for (let leftMs = pauseMs; leftMs > 0 && this.direct.length === 0; leftMs = endsAt - performance.now()) {
      await this.pause(Math.min(leftMs, measureEveryMs))
      if (ingestPace(this.options.machine.readLoad()) === unlimitedPace) return
    }
  }

  private pause(ms: number): Promise<void> {
    if (this.isStopping) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/** Writes segments to the database in one batch and removes them. Skips those that cannot be read, and keeps them. */
export async function ingestSegments(
  { queue, ingester }: Pick<IngestLoopOptions, 'queue' | 'ingester'>,
  segments: readonly JournalSegment[],
): Promise<{ clicks: Click[]; torn: number; written: JournalSegment[] }> {
  const clicks: Click[] = []
  let torn = 0
  const written: JournalSegment[] = []
  for (const segment of segments)
    try {
      const decoded = await readSegment(segment)
      clicks.push(...decoded.clicks)
      torn += decoded.torn
      written.push(segment)
    } catch (error) {
      queue.skipSegment(segment, error as Error)
    }
  await ingester.writeClicks(clicks)
  await queue.removeSegments(written)
  return { clicks, torn, written }
}
