/** Runs replays in small transactions. A runner may die at any point, and several runners may work concurrently. */
import { setTimeout as pause } from 'node:timers/promises'

import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { afterCommit } from '../../platform/database/after-commit.js'
import { allowLongerStatements, backgroundMayTakeMs } from '../../platform/database/pg-client.js'
import { declareJobs, Handles } from '../../platform/queue/jobs.js'
import { currentTime } from '../../platform/util/clock.js'
import type { JobHandler, Jobs } from '../../platform/queue/jobs.js'
import { Webhook } from '../../webhooks/webhook.entity.js'
import { LaneWaker } from '../lane-waker.js'
import { lockLanes } from '../lanes.repository.js'
import { LedgerRepository } from '../ledger.repository.js'
import type { EventReplay, Replay } from './replay.entity.js'
import { EventReplaysRepository, ReplaysRepository } from './replays.repository.js'
import type { ScannedEvent } from './replays.repository.js'

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
const mostPolls = 100

/** The common interface of the repositories of both kinds of replays. */
interface StoredReplays<R, Found> {
  claim(tx: EntityManager, id: string | null): Promise<R | null>
  next(tx: EntityManager, replay: R, limit: number): Promise<Found[]>
  update(tx: EntityManager, replay: R): Promise<void>
}

/** Reopens completed deliveries, and creates deliveries of events that a webhook never received. */
@Injectable()
@Handles('unfinished-replays')
export class ReplayRunner implements JobHandler<'unfinished-replays'> {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly replays: ReplaysRepository,
    private readonly eventReplays: EventReplaysRepository,
    private readonly ledger: LedgerRepository,
    private readonly waker: LaneWaker,
  ) {}

  handle(): Promise<void> {
    return this.run()
  }

  /** Runs until this replay, or each replay, is finished or claimed by another runner. */
  async run(replayId: string | null = null): Promise<void> {
    while (await this.runSome(replayId));
  }

  /** Runs one batch. Returns false if there is nothing to do. */
  async runSome(replayId: string | null = null): Promise<boolean> {
    return (
      (await this.runBatch(this.replays, replayId, deliveriesInBatch, (tx, webhookId, found) =>
        this.ledger.reopen(
          tx,
          webhookId,
          found.map(({ id }) => id),
        ),
      )) ||
      this.runBatch<EventReplay, ScannedEvent>(
        this.eventReplays,
        replayId,
        eventsInBatch,
        async (tx, webhookId, found) => {
          const missing = found.filter(({ isMissing }) => isMissing)
          await this.eventReplays.deliver(tx, webhookId, missing)
          return missing.length
        },
      )
    )
  }

  /** `send` returns the number of items that will be sent. */
  private runBatch<R extends Replay | EventReplay, Found extends { id: string }>(
    replays: StoredReplays<R, Found>,
    replayId: string | null,
    batch: number,
    send: (tx: EntityManager, webhookId: string, found: readonly Found[]) => Promise<number>,
  ): Promise<boolean> {
    return this.dataSource.transaction(async (tx) => {
      const replay = await replays.claim(tx, replayId)
      if (!replay) return false
      await allowLongerStatements(tx, backgroundMayTakeMs)
      const { webhookId } = replay
      // The lock precedes the query, so that deliveries of another replay of this webhook are visible.
      await lockLanes(tx, [webhookId])
      const { status, deletedAt } = await tx.findOneByOrFail(Webhook, { id: webhookId })
      const found = deletedAt ? [] : await replays.next(tx, replay, batch)
      const sent = found.length === 0 ? 0 : await send(tx, webhookId, found)
      replay.position = found.at(-1)?.id ?? replay.position
      if (found.length < batch) replay.finishedAt = currentTime()
      await replays.update(tx, replay)
      if (sent > 0 && status === 'active') afterCommit(tx, () => this.waker.wake([webhookId]))
      return true
    })
  }
}

@Injectable()
@Handles('replay')
export class ReplayJob implements JobHandler<'replay'> {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly runner: ReplayRunner,
    private readonly eventReplays: EventReplaysRepository,
  ) {}

  async handle({ replayId }: Jobs['replay']): Promise<void> {
    await this.waitForOlderTransactions(replayId)
    await this.runner.run(replayId)
  }

  /** Waits a few seconds at most. After that, the job for unfinished replays runs the replay. */
  private async waitForOlderTransactions(replayId: string): Promise<void> {
    for (let polls = 0; polls < mostPolls; polls++) {
      if (!(await this.eventReplays.isWaiting(this.dataSource.manager, replayId))) return
      await pause(pollMs)
    }
  }
}
