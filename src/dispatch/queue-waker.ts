/** Sends hints for lanes to the dispatcher of this process, or to other workers through the queue. */
import { Injectable } from '@nestjs/common'

import type { LaneWaker } from '../deliveries/pending-deliveries.js'
import { JobQueue } from '../platform/queue/job-queue.js'
import { Batcher, rethrowFailure } from '../platform/util/batcher.js'
import { hintGatherMs, lanesInJob } from './limits.js'

@Injectable()
export class QueueWaker implements LaneWaker {
  /**
   * Wakes the lane of a proven receiver without the queue. Returns false if this process does not hold the lane. Set by
   * the worker.
   */
  wakeServedLane: (webhookId: string) => boolean = () => false
  /** Sends the first hint immediately. Hints within the pause after it are sent together. */
  private readonly unproven = new Batcher<string>(
    { maxItems: Infinity, concurrency: 1, restMs: hintGatherMs },
    (webhookIds) => Promise.resolve(this.addHints(webhookIds, false)),
    rethrowFailure,
  )

  constructor(private readonly queue: JobQueue) {}

  wake(webhookIds: readonly string[], isProven = false): void {
    if (isProven)
      return this.addHints(
        webhookIds.filter((webhookId) => !this.wakeServedLane(webhookId)),
        true,
      )
    for (const webhookId of webhookIds) this.unproven.addItem(webhookId)
  }

  private addHints(webhookIds: readonly string[], isProven: boolean): void {
    const [webhookId, ...others] = webhookIds
    if (webhookId === undefined) return
    if (others.length === 0) return this.queue.addHints('lane', [{ webhookId, isProven }])
    this.queue.addHints(
      'lanes',
      Array.from({ length: Math.ceil(webhookIds.length / lanesInJob) }, (_, i) => ({
        webhookIds: webhookIds.slice(i * lanesInJob, (i + 1) * lanesInJob),
        isProven,
      })),
    )
  }
}
