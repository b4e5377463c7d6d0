/** Serves a lane: claims due deliveries, sends them, writes the results, and releases the lane. */
import { setTimeout as pause } from 'node:timers/promises'

import { Injectable } from '@nestjs/common'

import { AttemptOutcomes } from './attempt-outcomes.js'
import type { DueRequest } from './due-request.js'
import { Heartbeat } from './heartbeat.js'
import { LaneClaims } from './lane-claims.js'
import { LaneReleases } from './lane-releases.js'
import { afterFailureMs } from './limits.js'
import { SendPermits } from './send-permits.js'
import type { Slot } from './send-slots.js'
import { Sender } from './sender.js'
import type { ServedLane } from './served-lane.js'

@Injectable()
export class LaneServer {
  constructor(
    private readonly claims: LaneClaims,
    private readonly permits: SendPermits,
    private readonly sender: Sender,
    private readonly outcomes: AttemptOutcomes,
    private readonly releases: LaneReleases,
    private readonly heartbeat: Heartbeat,
  ) {}

  /**
   * Serves the lane until nothing is due, nothing may be sent, or the lane is handed over. Resolves with the next
   * holder of the lane, or with null if the lane is free.
   */
  async serveLane(lane: ServedLane): Promise<string | null> {
    this.claims.servedLanes += 1
    let holder: string | null
    do {
      while (lane.isOpen) {
        if (lane.needsClaim) void this.claimDeliveries(lane)
        if (lane.canSend && this.heartbeat.isAlive) await this.sendNext(lane)
        else if (lane.isBusy) await lane.waitForChange()
        else break
      }
      while (lane.isBusy) await lane.waitForChange()
      holder = await this.releases.releaseLane(lane)
    } while (holder === this.heartbeat.worker)
    this.claims.servedLanes -= 1
    return holder
  }

  stop(): void {
    this.permits.stop()
    this.releases.stop()
  }

  /** Claims due deliveries while the lane sends those in memory. */
  private async claimDeliveries(lane: ServedLane): Promise<void> {
    lane.isClaiming = true
    try {
      const { claimed, due } = await this.claims.claimLane(lane)
      lane.markChecked()
      if (claimed) lane.updateFromClaim(claimed)
      // Without a claimed lane, the webhook is inactive, its receiver requested a pause, or another worker has the lane.
      if (!claimed || !this.sender.canSign(claimed)) lane.suspend()
      else {
        const next = await this.claims.claimNext(lane, claimed, due)
        lane.addDue(next.requests)
        if (next.mayHaveMore) lane.wake()
        if (next.nextInMs !== null) lane.wakeIn(next.nextInMs, 'batch')
      }
    } catch {
      await pause(afterFailureMs)
      lane.wake()
    }
    lane.endClaim()
  }

  /** Starts the next request once the lane may send, unless nothing may be sent any more. */
  private async sendNext(lane: ServedLane): Promise<void> {
    const slot = await this.permits.waitForSlot(lane)
    if (!slot) return
    if (lane.canSend && this.heartbeat.isAlive) void this.deliver(lane, lane.beginRequest(slot), slot)
    else this.permits.releaseSlot(slot)
  }

  private async deliver(lane: ServedLane, request: DueRequest, slot: Slot): Promise<void> {
    const sent = await this.sender.send(lane.claimedLane!, request)
    lane.endRequest(slot)
    this.permits.releaseSlot(slot)
    await this.outcomes.recordAttempt(lane, request, sent)
  }
}
