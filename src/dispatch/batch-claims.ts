/**
 * Claims the batches of a lane. Deliveries get their batch before its first attempt, so that every attempt sends the
 * same events, whichever worker sends it.
 */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { lockLanes } from '../deliveries/lanes.repository.js'
import { groupIntoBatches } from './batch-groups.js'
import type { BatchGroups } from './batch-groups.js'
import { BatchesRepository } from './batches.repository.js'
import type { BatchedLane } from './batches.repository.js'
import type { DueRequest } from './due-request.js'
import type { ClaimedLane } from './leases.repository.js'
import { replayShare } from './limits.js'

export interface BatchClaim {
  requests: readonly DueRequest[]
  /** IDs of deliveries that cannot be sent, because their events were deleted. */
  expired: readonly string[]
  mayHaveMore: boolean
  /** Milliseconds until the deliveries that wait for others are sent. Null if there are none. */
  nextInMs: number | null
}

/** The batches to send: those that exist, and the groups of deliveries that become batches. */
interface Choice extends BatchGroups {
  dueIds: readonly string[]
}

const nothing: BatchClaim = { requests: [], expired: [], mayHaveMore: false, nextInMs: null }

@Injectable()
export class BatchClaims {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly batches: BatchesRepository,
  ) {}

  /** The caller must hold the lease of the lane. Excludes the claimed batches and deliveries. */
  async claimBatches(
    holder: string,
    { webhookId, readLimit }: Pick<ClaimedLane, 'webhookId' | 'readLimit'>,
    claimedIds: readonly string[],
    hasTraceparents = false,
  ): Promise<BatchClaim> {
    return this.dataSource.transaction(async (tx) => {
      await lockLanes(tx, [webhookId])
      const lane = await this.batches.findLane(tx, holder, webhookId)
      if (!lane) return nothing
      // An ordered lane waits for the result of each batch.
      const limit = lane.ordered ? 1 : Math.max(1, Math.floor(readLimit / lane.batch.max))
      const { dueIds, groups, nextInMs } = lane.ordered
        ? await this.chooseNext(tx, lane, claimedIds)
        : await this.chooseDue(tx, lane, claimedIds, limit)
      const formed = await this.batches.formBatches(tx, lane, groups)
      const { requests, expired } = await this.batches.readRequests(
        tx,
        webhookId,
        [...dueIds, ...formed.ids],
        hasTraceparents,
      )
      return {
        requests,
        expired: [...formed.expired, ...expired],
        mayHaveMore: dueIds.length + groups.length >= limit || formed.isCut,
        nextInMs,
      }
    })
  }

  /** Chooses up to `limit` batches, and replays up to their share of it. */
  private async chooseDue(
    tx: EntityManager,
    lane: BatchedLane,
    claimedIds: readonly string[],
    limit: number,
  ): Promise<Choice> {
    const dueIds = await this.batches.findDue(tx, lane, claimedIds, limit)
    const { live, replays } = await this.batches.findWaiting(tx, lane, claimedIds, limit - dueIds.length)
    const chosen = groupIntoBatches(live, lane.batch, limit - dueIds.length)
    const replayed = groupIntoBatches(replays, lane.batch, Math.ceil(limit / replayShare))
    return {
      dueIds,
      groups: [...chosen.groups, ...replayed.groups],
      nextInMs: earliest(chosen.nextInMs, replayed.nextInMs),
    }
  }

  /**
   * Chooses the first batch of an ordered lane. Deliveries that were sent come first, by their sequence numbers. They
   * have no batch if they were sent alone, or if another delivery of their batch was skipped.
   */
  private async chooseNext(
    tx: EntityManager,
    lane: BatchedLane,
    claimedIds: readonly string[],
  ): Promise<Choice> {
    const first = await this.batches.findFirst(tx, lane)
    const { live, replays } = await this.batches.findWaiting(tx, lane, claimedIds, 1, first?.sequence)
    const waiting = live.length > 0 ? live : replays
    if (first && waiting.length === 0)
      return { dueIds: first.isDue ? [first.id] : [], groups: [], nextInMs: null }
    const firstNotDue = waiting.findIndex(({ waitedMs }) => waitedMs < 0)
    const due = firstNotDue === -1 ? waiting : waiting.slice(0, firstNotDue)
    return { dueIds: [], ...groupIntoBatches(due, lane.batch, 1) }
  }
}

function earliest(...times: readonly (number | null)[]): number | null {
  const given = times.filter((time) => time !== null)
  return given.length > 0 ? Math.min(...given) : null
}
