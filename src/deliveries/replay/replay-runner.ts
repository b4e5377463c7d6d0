/** Runs replays in small transactions. A runner may die at any point, and several runners may work concurrently. */
import { setTimeout as pause } from 'node:timers/promises'

import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { subscribesTo } from '../../events/catalog.js'
import { afterCommit } from '../../platform/database/after-commit.js'
import { allowLongerStatements, backgroundTimeoutMs } from '../../platform/database/pg-client.js'
import { declareJobs, Handles } from '../../platform/queue/jobs.js'
import { currentTime } from '../../platform/util/clock.js'
import type { JobHandler, Jobs } from '../../platform/queue/jobs.js'
import { Webhook } from '../../webhooks/webhook.entity.js'
import { lockLanes } from '../lanes.repository.js'
import { LaneWaker } from '../pending-deliveries.js'
import { LedgerRepository } from '../ledger.repository.js'
import type { Replay } from './replay.entity.js'
import { ReplaysRepository } from './replays.repository.js'

declare module '../../platform/queue/jobs.js' {
  interface Jobs {
    /** Runs a replay. */
    replay: { replayId: string }
    /** Continues replays whose hint was lost or whose runner died. */
    'unfinished-replays': Record<string, never>
  }
}

export const replayJobs = declareJobs({ replay: { hintKey: ({ replayId }) => replayId } })

const deliveriesInBatch = 500
const eventsInBatch = 1_000
const pollMs = 50
const maxPolls = 100

/** The result of one batch of a replay. */
interface Batch {
  /** ID of the last processed delivery or event, if there was one. */
  last: string | undefined
  isFinal: boolean
  /** Number of deliveries that will be sent. */
  sent: number
}

const nothingToSend: Batch = { last: undefined, isFinal: true, sent: 0 }

/** Reopens completed deliveries, and creates deliveries of events that a webhook never received. */
@Injectable()
@Handles('unfinished-replays')
export class ReplayRunner implements JobHandler<'unfinished-replays'> {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly replays: ReplaysRepository,
    private readonly ledger: LedgerRepository,
    private readonly waker: LaneWaker,
  ) {}

  handle(): Promise<void> {
    return this.runReplays()
  }

  /** Runs until this replay, or each replay, is finished or claimed by another runner. */
  async runReplays(replayId: string | null = null): Promise<void> {
    while (await this.runStep(replayId));
  }

  /** Runs one batch. Returns false if there is nothing to do. */
  async runStep(replayId: string | null = null): Promise<boolean> {
    return this.dataSource.transaction(async (tx) => {
      const replay = await this.replays.claimReplay(tx, replayId)
      if (!replay) return false
      await allowLongerStatements(tx, backgroundTimeoutMs)
      const { id, webhookId } = replay
      // The lock precedes the query, so that deliveries of another replay of this webhook are visible.
      await lockLanes(tx, [webhookId])
      const webhook = await tx.findOneByOrFail(Webhook, { id: webhookId })
      const { last, isFinal, sent } = webhook.deletedAt
        ? nothingToSend
        : await this.runBatch(tx, replay, webhook)
      await this.replays.updateProgress(tx, id, {
        position: last ?? replay.position,
        finishedAt: isFinal ? currentTime() : null,
      })
      if (sent > 0 && webhook.status === 'active') afterCommit(tx, () => this.waker.wake([webhookId]))
      return true
    })
  }

  private runBatch(tx: EntityManager, replay: Replay, webhook: Webhook): Promise<Batch> {
    return replay.source === 'events'
      ? this.deliverEvents(tx, replay, webhook)
      : this.reopenDeliveries(tx, replay, webhook)
  }

  private async reopenDeliveries(tx: EntityManager, replay: Replay, webhook: Webhook): Promise<Batch> {
    const deliveries = await this.replays.findNextDeliveries(tx, replay, webhook, deliveriesInBatch)
    const ids = deliveries.filter(({ passes }) => passes).map(({ id }) => id)
    const sent = ids.length === 0 ? 0 : await this.ledger.reopenDeliveries(tx, replay.webhookId, ids)
    return { last: deliveries.at(-1)?.id, isFinal: deliveries.length < deliveriesInBatch, sent }
  }

  private async deliverEvents(tx: EntityManager, replay: Replay, webhook: Webhook): Promise<Batch> {
    const events = await this.replays.findNextEvents(tx, replay, webhook, eventsInBatch)
    // The webhook may have unsubscribed from a type after the request.
    const missing = events.filter(
      ({ type, isMissing, passes }) => isMissing && passes && subscribesTo(webhook.events, type),
    )
    await this.replays.deliver(tx, replay.webhookId, missing)
    return { last: events.at(-1)?.id, isFinal: events.length < eventsInBatch, sent: missing.length }
  }
}

@Injectable()
@Handles('replay')
export class ReplayJob implements JobHandler<'replay'> {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly runner: ReplayRunner,
    private readonly replays: ReplaysRepository,
  ) {}

  async handle({ replayId }: Jobs['replay']): Promise<void> {
    await this.waitForOlderTransactions(replayId)
    await this.runner.runReplays(replayId)
  }

  /** Waits a few seconds at most. After that, the job for unfinished replays runs the replay. */
  private async waitForOlderTransactions(replayId: string): Promise<void> {
    for (let polls = 0; polls < maxPolls; polls++) {
      if (!(await this.replays.isWaiting(this.dataSource.manager, replayId))) return
      await pause(pollMs)
    }
  }
}
