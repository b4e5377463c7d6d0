/** Gives work to the workers, of this process or of others. */
import { InjectQueue } from '@nestjs/bullmq'
import { Inject, Injectable, Logger } from '@nestjs/common'
import type { OnApplicationShutdown } from '@nestjs/common'
import { Queue } from 'bullmq'
import type { BulkJobOptions } from 'bullmq'

import { SETTINGS } from '../config/settings.js'
import type { RunningSettings } from '../config/settings.js'
import { ThrottledWarning } from '../util/throttled-warning.js'
import { withTimeout } from '../util/with-timeout.js'
import { queueName } from './backend.js'
import { Hints } from './hints.js'
import { JobRegistry } from './jobs.js'
import type { JobName, Jobs } from './jobs.js'

interface HintedJob {
  name: JobName
  data: Jobs[JobName]
  opts: BulkJobOptions
}

/** BullMQ takes jobs without a priority before all others. */
const behindTheOthers = 1
const reachableWithinMs = 2_000

@Injectable()
export class JobQueue implements OnApplicationShutdown {
  private readonly logger = new Logger(JobQueue.name)
  private readonly trouble = new ThrottledWarning(this.logger)
  private readonly drops = new ThrottledWarning(this.logger)
  private readonly hints: Hints<HintedJob>
  private dropped = 0

  constructor(
    @InjectQueue(queueName) private readonly queue: Queue,
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly jobs: JobRegistry,
  ) {
    queue.on('error', (error) =>
      this.trouble.warn(`The queue has trouble: ${error.message || String(error)}`),
    )
    this.hints = new Hints<HintedJob>({
      send: async (jobs) => {
        await queue.addBulk(jobs)
      },
      onDropped: (count, reason) => {
        this.dropped += count
        this.drops.warn(`Hints were dropped, workers find the work by themselves: ${reason}`, count)
      },
    })
  }

  /**
   * Says that there may be something to do. Returns at once and cannot fail, but the hint may be lost. Of those with
   * one key, one job waits; a hint that comes while it runs has it run once more.
   */
  hint<Name extends JobName>(name: Name, payloads: readonly Jobs[Name][]): void {
    const job = this.jobs.of(name)
    if (!job.hintKey) throw new Error(`The job ${name} is not one to hint at.`)
    for (const data of payloads) {
      const isBehind = job.isBehind?.(data) ?? false
      // A receiver that has begun to answer must not wait behind the others, where an older hint still waits.
      const key = `${name}-${isBehind ? 'behind-' : ''}${job.hintKey(data)}`
      const opts: BulkJobOptions = { deduplication: { id: key, keepLastIfActive: true } }
      if (isBehind) opts.priority = behindTheOthers
      this.hints.give(key, { name, data, opts })
    }
  }

  /**
   * Has a job come again and again, over all replicas together. Saying it once more changes nothing, unless the queue
   * has forgotten; of several that say it first at the same moment, each may have it run once.
   */
  async repeat(name: JobName): Promise<void> {
    const { everyMs, formerName } = this.jobs.of(name)
    const every = everyMs?.(this.settings)
    if (every === undefined) return
    if (formerName !== undefined) await this.queue.removeJobScheduler(formerName)
    const known = await this.queue.getJobScheduler(name)
    // A chain that broke keeps its scheduler, but its next time has passed.
    if (known?.every === every && (known.next ?? 0) > Date.now() - every) return
    await this.queue.upsertJobScheduler(name, { every }, { name, data: {} })
  }

  /** How many hints were dropped since the start. */
  get droppedHints(): number {
    return this.dropped
  }

  isReachable(): Promise<boolean> {
    const asked = this.queue.isPaused().then(
      () => true,
      () => false,
    )
    return withTimeout(asked, reachableWithinMs, false)
  }

  onApplicationShutdown(): void {
    this.hints.stop()
  }
}
