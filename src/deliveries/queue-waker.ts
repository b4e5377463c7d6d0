import { Injectable } from '@nestjs/common'

import { JobQueue } from '../queue/job-queue.js'
import type { LaneWaker } from './lane-waker.js'

/** Into so many jobs what becomes due together is divided at least, so that as many workers can share it at once. */
const shares = 4
const mostLanesInJob = 50
/**
 * Receivers that have yet to show that they answer wait for others like them: many that fail make few jobs. Those that
 * answer are shared as soon as their lanes have had their turn.
 */
const gatherMs = 50

@Injectable()
export class QueueWaker implements LaneWaker {
  private readonly unproven = new Set<string>()
  private gathering: NodeJS.Timeout | null = null

  constructor(private readonly queue: JobQueue) {}

  wake(webhookIds: readonly string[], isProven = false): void {
    if (isProven) return this.hint(webhookIds, true)
    for (const webhookId of webhookIds) this.unproven.add(webhookId)
    this.gathering ??= setTimeout(() => this.hintUnproven(), gatherMs).unref()
  }

  private hintUnproven(): void {
    this.gathering = null
    this.hint([...this.unproven], false)
    this.unproven.clear()
  }

  private hint(webhookIds: readonly string[], isProven: boolean): void {
    const lanesInJob = Math.min(Math.ceil(webhookIds.length / (isProven ? shares : 1)), mostLanesInJob)
    if (lanesInJob > 1) return this.hintMany(webhookIds, lanesInJob, isProven)
    this.queue.hint(
      'lane',
      webhookIds.map((webhookId) => ({ webhookId, isProven })),
    )
  }

  private hintMany(webhookIds: readonly string[], lanesInJob: number, isProven: boolean): void {
    const jobs = Math.ceil(webhookIds.length / lanesInJob)
    this.queue.hint(
      'lanes',
      Array.from({ length: jobs }, (_, i) => ({
        webhookIds: webhookIds.slice(i * lanesInJob, (i + 1) * lanesInJob),
        isProven,
      })),
    )
  }
}
