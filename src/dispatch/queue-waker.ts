import { Injectable } from '@nestjs/common'

import { JobQueue } from '../platform/queue/job-queue.js'
import type { LaneWaker } from '../deliveries/lanes.repository.js'
import { hintGatherMs, lanesInJob } from './limits.js'

@Injectable()
export class QueueWaker implements LaneWaker {
  /**
   * Wakes the lane of a proven receiver in this process, which saves the way through the queue; false where another
   * process, or none, holds it. A worker sets this.
   */
  wakeHere: (webhookId: string) => boolean = () => false
  private readonly unproven = new Set<string>()
  private gathering: NodeJS.Timeout | null = null

  constructor(private readonly queue: JobQueue) {}

  wake(webhookIds: readonly string[], isProven = false): void {
    if (isProven)
      return this.hint(
        webhookIds.filter((webhookId) => !this.wakeHere(webhookId)),
        true,
      )
    for (const webhookId of webhookIds) this.unproven.add(webhookId)
    if (!this.gathering) this.hintUnproven()
  }

  private hintUnproven(): void {
    this.gathering = null
    if (this.unproven.size === 0) return
    this.hint([...this.unproven], false)
    this.unproven.clear()
    this.gathering = setTimeout(() => this.hintUnproven(), hintGatherMs).unref()
  }

  private hint(webhookIds: readonly string[], isProven: boolean): void {
    const [webhookId, ...others] = webhookIds
    if (webhookId === undefined) return
    if (others.length === 0) return this.queue.hint('lane', [{ webhookId, isProven }])
    this.queue.hint(
      'lanes',
      Array.from({ length: Math.ceil(webhookIds.length / lanesInJob) }, (_, i) => ({
        webhookIds: webhookIds.slice(i * lanesInJob, (i + 1) * lanesInJob),
        isProven,
      })),
    )
  }
}
