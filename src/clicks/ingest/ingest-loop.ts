/** Brings the clicks of the journal into the database for as long as the process lives. */
import type { Click } from '../journal/click-line.js'
import { decodeLines, readSegment } from '../journal/segments.js'
import type { JournalSegment } from '../journal/segments.js'
import type { SegmentQueue } from '../journal/segment-queue.js'
import type { ClickIngester } from './click-ingester.js'
import {
  type MachineLoad,
  besideVisitors,
  ingestPace,
  measureEveryMs,
  restAfter,
  unbound,
} from './ingest-pace.js'
import type { Pace } from './ingest-pace.js'
import type { FromIngest, IngestLog } from './messages.js'

const restAfterFailureMs = 1_000
const shutdownPace: Pace = { ...unbound, bytesPerBatch: besideVisitors.bytesPerBatch }
/** Folders of processes that ended since are found after this time. */
const lookAgainMs = 30_000

/** Lines that could not be written to the disk. Their visitors wait. */
interface DirectLines {
  id: number
  lines: Uint8Array
}

interface IngestLoopParts {
  queue: SegmentQueue
  ingester: ClickIngester
  machine: MachineLoad
  tell: (message: FromIngest) => void
  log: IngestLog
}

export class IngestLoop {
  private direct: DirectLines[] = []
  private isFailing = false
  private isIdle = false
  /** The database has just failed. Visitors do not wait for it. */
  private isResting = false
  private hasNews = false
  private deadline = Infinity
  private endPause: () => void = () => undefined

  constructor(private readonly parts: IngestLoopParts) {}

  /** Called when a segment waits in the queue. */
  wake(): void {
    this.hasNews = true
    if (this.isIdle) this.endPause()
  }

  writeDirectly(group: DirectLines): void {
    this.direct.push(group)
    if (this.isResting) return this.refuseDirect()
    this.hasNews = true
    this.endPause()
  }

  /** Segments that are not written within this time are left for the next start. */
  stop(withinMs: number): void {
    this.deadline = Date.now() + withinMs
    this.hasNews = true
    this.endPause()
  }

  /** Resolves after `stop`, once everything is written or the time is over. */
  async run(): Promise<void> {
    while (Date.now() < this.deadline) {
      this.hasNews = false
      // Small batches show progress to the serving thread, which ends a thread that makes none.
      const pace = this.isStopping ? shutdownPace : ingestPace(this.parts.machine.read())
      const startedAt = performance.now()
      const clicks = await this.ingest(pace)
      if (clicks === null && this.isStopping) break
      else if (clicks === null) await this.restAfterFailure()
      else if (clicks > 0) await this.rest(restAfter(clicks, performance.now() - startedAt, pace))
      else if (this.isStopping) break
      else await this.idle()
    }
    await this.parts.ingester.close()
  }

  /** Writes what waits, and returns how many segments or clicks there were; null after a failure. */
  private async ingest(pace: Pace): Promise<number | null> {
    try {
      const written = this.direct.length > 0 ? await this.ingestDirect() : await this.ingestQueued(pace)
      if (this.isFailing && written > 0) {
        this.isFailing = false
        this.parts.log.info('Clicks reach the database again.')
      }
      return written
    } catch (error) {
      if (!this.isFailing)
        this.parts.log.warn(`Clicks stay in the journal for now: ${(error as Error).message}`)
      this.isFailing = true
      return null
    }
  }

  private async ingestDirect(): Promise<number> {
    const groups = [...this.direct]
    const clicks = groups.flatMap(({ lines }) => decodeLines(lines).clicks)
    await this.parts.ingester.write(clicks)
    this.direct = this.direct.slice(groups.length)
    for (const { id } of groups) this.parts.tell({ kind: 'direct', id, isWritten: true })
    return clicks.length
  }

  private async ingestQueued({ bytesPerBatch }: Pace): Promise<number> {
    const { queue, tell } = this.parts
    const segments = await queue.next(bytesPerBatch)
    if (segments.length === 0) return 0
    const { clicks, torn } = await ingestSegments(this.parts, segments)
    tell({ kind: 'written', paths: segments.map(({ path }) => path), torn })
    return Math.max(1, clicks)
  }

  private refuseDirect(): void {
    for (const { id } of this.direct.splice(0)) this.parts.tell({ kind: 'direct', id, isWritten: false })
  }

  private get isStopping(): boolean {
    return this.deadline !== Infinity
  }

  private async idle(): Promise<void> {
    this.isIdle = true
    // Something may have come while the loop looked.
    if (!this.hasNews) await this.pause(lookAgainMs)
    this.isIdle = false
  }

  private async restAfterFailure(): Promise<void> {
    this.refuseDirect()
    this.isResting = true
    await this.pause(restAfterFailureMs)
    this.isResting = false
  }

  /** Rests, but no longer than the rush of visitors lasts, and not while visitors wait for the database. */
  private async rest(ms: number): Promise<void> {
    const endsAt = performance.now() + ms
    for (let left = ms; left > 0 && this.direct.length === 0; left = endsAt - performance.now()) {
      await this.pause(Math.min(left, measureEveryMs))
      if (ingestPace(this.parts.machine.read()) === unbound) return
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

/** Writes segments in one go and removes them. A segment that cannot be read does not keep the others waiting. */
export async function ingestSegments(
  { queue, ingester, log }: Pick<IngestLoopParts, 'queue' | 'ingester' | 'log'>,
  segments: readonly JournalSegment[],
): Promise<{ clicks: number; torn: number }> {
  const clicks: Click[] = []
  let torn = 0
  const read: JournalSegment[] = []
  for (const segment of segments)
    try {
      const decoded = await readSegment(segment)
      clicks.push(...decoded.clicks)
      torn += decoded.torn
      read.push(segment)
    } catch (error) {
      queue.skip(segment)
      log.warn(`The click journal: ${(error as Error).message}`)
    }
  await ingester.write(clicks)
  await queue.remove(read)
  return { clicks: clicks.length, torn }
}
