import { Injectable } from '@nestjs/common'

import { JobQueue } from '../queue/job-queue.js'
import type { LaneWaker } from './lane-waker.js'

/** Into so many jobs what becomes due together is divided at least, so that as many workers can share it at once. */
const shares = 4
const lanesInJob = { fewest: 25, most: 50 }
/**
 * Receivers that have yet to show that they answer wait for others like them, if there was one just before: many that
 * fail make few jobs.
 */
const gatherMs = 250

@Injectable()
export class QueueWaker implements LaneWaker {
  private readonly unproven = new Set<string>()
  private gathering: NodeJS.Timeout | null = null

  constructor(private readonly queue: JobQueue) {}

  wake(webhookIds: readonly string[], isProven = false): void {
    if (isProven) return this.hint(webhookIds, true)
    for (const webhookId of webhookIds) this.unproven.add(webhookId)
    if (!this.gathering) this.hintUnproven()
  }

  private hintUnproven(): void {
    this.gathering = null
    if (this.unproven.size === 0) return
    this.hint([...this.unproven], false)
    this.unproven.clear()
    this.gathering = setTimeout(() => this.hintUnproven(), gatherMs).unref()
  }

  private hint(webhookIds: readonly string[], isProven: boolean): void {
    const [webhookId, ...others] = webhookIds
    if (webhookId === undefined) return
    if (others.length === 0) return this.queue.hint('lane', [{ webhookId, isProven }])
    const share = Math.ceil(webhookIds.length / shares)
    const inJob = Math.min(Math.max(share, lanesInJob.fewest), lanesInJob.most)
    this.queue.hint(
      'lanes',
      Array.from({ length: Math.ceil(webhookIds.length / inJob) }, (_, i) => ({
        webhookIds: webhookIds.slice(i * inJob, (i + 1) * inJob),
        isProven,
      })),
    )
  }
}
