/** Claims lanes and their next requests. Claims of many lanes are batched into one statement. */
import { Inject, Injectable, Logger } from '@nestjs/common'

import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { priorities } from '../deliveries/delivery.entity.js'
import { BatchedCalls } from '../platform/util/batched-calls.js'
import type { BatchLimits } from '../platform/util/batcher.js'
import type { Span, SpanSpec } from '../platform/util/tracer.js'
import { runTraced, tracer } from '../platform/util/tracing.js'
import { needsTraceparents } from '../webhooks/webhook-requests.js'
import { BatchClaims } from './batch-claims.js'
import type { BatchClaim } from './batch-claims.js'
import type { DueRequest } from './due-request.js'
import { Heartbeat } from './heartbeat.js'
import { LeasesRepository } from './leases.repository.js'
import type { ClaimedLane } from './leases.repository.js'
import * as limits from './limits.js'
import { OrderedClaims } from './ordered-claims.js'
import { ResultsWriter } from './results-writer.js'
import type { ServedLane } from './served-lane.js'

interface LaneClaim {
  /** Undefined if the lane was not claimed. */
  claimed: ClaimedLane | undefined
  due: readonly DueRequest[]
}

@Injectable()
export class LaneClaims {
  /** The lanes of this process, which share the memory for deliveries. */
  servedLanes = 0
  private readonly logger = new Logger(LaneClaims.name)
  private readonly provenClaims = this.createClaimBatcher(limits.claims)
  private readonly unprovenClaims = this.createClaimBatcher(limits.unprovenClaims)
  private readonly orderedClaims = new BatchedCalls<ClaimedLane, readonly DueRequest[]>(
    limits.orderedClaims,
    (lanes) => this.claimInOrder(lanes),
  )

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly leases: LeasesRepository,
    private readonly heartbeat: Heartbeat,
    private readonly ordered: OrderedClaims,
    private readonly batches: BatchClaims,
    private readonly results: ResultsWriter,
  ) {}

  claimLane(lane: ServedLane): Promise<LaneClaim> {
    return (lane.isProven ? this.provenClaims : this.unprovenClaims).call(lane)
  }

  /** Returns the requests to send next: those that the claim of the lane found, the first ones in order, or batches. */
  async claimNext(
    lane: ServedLane,
    claimed: ClaimedLane,
    due: readonly DueRequest[],
  ): Promise<Omit<BatchClaim, 'expired'>> {
    if (claimed.batch) return this.claimBatches(lane, claimed)
    const requests = claimed.isOrdered ? await this.orderedClaims.call(claimed) : due
    return { requests, mayHaveMore: mayHaveMore(requests, claimed.readLimit), nextInMs: null }
  }

  private get hasTraceparents(): boolean {
    return needsTraceparents(this.settings)
  }

  private createClaimBatcher(size: BatchLimits<ServedLane>): BatchedCalls<ServedLane, LaneClaim> {
    return new BatchedCalls(size, (lanes) => this.claimLanes(lanes))
  }

  private async claimLanes(lanes: readonly ServedLane[]): Promise<(lane: ServedLane) => LaneClaim> {
    try {
      await this.heartbeat.renewLease()
      const readLimit = Math.min(this.settings.workerBatch, Math.ceil(limits.maxInMemory / this.servedLanes))
      const result = await runTraced(
        () => describeClaim('immediate'),
        async (span) => {
          const claims = lanes.map((lane) => lane.beginClaim(readLimit))
          const claimed = await this.leases.claimLanes(this.heartbeat.worker, claims, this.hasTraceparents)
          recordClaim(span, [...claimed.requests.values()].flat())
          return claimed
        },
      )
      if (result.expired.size > 0) await this.results.cancelExpired(result.expired)
      return ({ webhookId }) => ({
        claimed: result.lanes.get(webhookId),
        due: result.requests.get(webhookId) ?? [],
      })
    } catch (error) {
      this.logger.warn(`Cannot claim deliveries: ${(error as Error).message}`)
      throw error
    }
  }

  private async claimInOrder(
    lanes: readonly ClaimedLane[],
  ): Promise<(lane: ClaimedLane) => readonly DueRequest[]> {
    try {
      const { requests, expired } = await runTraced(
        () => describeClaim('ordered'),
        async (span) => {
          const { worker } = this.heartbeat
          const claimed = await this.ordered.claimDeliveries(worker, lanes, this.hasTraceparents)
          recordClaim(span, [...claimed.requests.values()].flat())
          return claimed
        },
      )
      if (expired.size > 0) await this.results.cancelExpired(expired)
      return ({ webhookId }) => requests.get(webhookId) ?? []
    } catch (error) {
      this.logger.warn(`Cannot claim deliveries in order: ${(error as Error).message}`)
      throw error
    }
  }

  private async claimBatches(lane: ServedLane, claimed: ClaimedLane): Promise<Omit<BatchClaim, 'expired'>> {
    try {
      const { expired, ...claim } = await runTraced(
        () => describeClaim('batch'),
        async (span) => {
          const batches = await this.batches.claimBatches(
            this.heartbeat.worker,
            claimed,
            lane.unwrittenIds,
            this.hasTraceparents,
          )
          recordClaim(span, batches.requests)
          return batches
        },
      )
      if (expired.length > 0) await this.results.cancelExpired(new Map([[lane.webhookId, expired]]))
      return claim
    } catch (error) {
      this.logger.warn(`Cannot claim batches: ${(error as Error).message}`)
      throw error
    }
  }
}

/** True if a claim reached its `limit`, or the limit of replays, so that more deliveries may be due. */
function mayHaveMore(due: readonly DueRequest[], limit: number): boolean {
  const replays = due.filter(({ priority }) => priority === priorities.replay).length
  return due.length - replays >= limit || replays >= Math.max(1, Math.floor(limit / limits.replayShare))
}

/** Returns the span of a claim. A claim serves many lanes, so it belongs to no trace of a request. */
function describeClaim(kind: 'immediate' | 'ordered' | 'batch'): SpanSpec {
  const attributes = { 'link_service.claim': kind }
  return { name: 'claim deliveries', kind: 'CONSUMER', parent: null, attributes }
}

/** Links the span to the traces of the claimed events. */
function recordClaim(span: Span | null, requests: readonly DueRequest[]): void {
  if (span === null || tracer === null) return
  span.setAttribute('link_service.requests', requests.length)
  tracer.addLinks(
    span,
    requests.flatMap(({ traceparents }) => traceparents),
  )
}
