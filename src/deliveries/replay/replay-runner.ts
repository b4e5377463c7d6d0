/** Does what replays ask for, in small transactions. A runner may die at any line, and several may run at once. */
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
    /** The deliveries or events of a replay are to be sent. */
    replay: { replayId: string }
    /** Unfinished replays are continued, because their hint was lost or their runner died. */
    'unfinished-replays': Record<string, never>
  }
}

export const replayJobs = declareJobs({ replay: { hintKey: ({ replayId }) => replayId } })

const deliveriesInBatch = 500
const eventsInBatch = 1_000
const lookMs = 50
const mostLooks = 100

/** What the repositories of both kinds of replays have in common. */
interface StoredReplays<R, Found> {
  claim(tx: EntityManager, id: string | null): Promise<R | null>
  next(tx: EntityManager, replay: R, limit: number): Promise<Found[]>
  update(tx: EntityManager, replay: R): Promise<void>
}

/** Sends completed deliveries again, and makes deliveries of events that a webhook never had. */
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

  /** Runs until this replay, or every replay, is finished or claimed by another runner. */
  async run(replayId: string | null = null): Promise<void> {
    while (await this.runSome(replayId));
  }

  /** Runs one batch. False when there is nothing to do. */
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

  /** `send` returns how many of the found ones are to be sent now. */
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
      // The lock comes before the look, so that another replay of this webhook has committed its deliveries by then.
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

  /** Waits for a few seconds at most. A replay that may not begin by then is left to the job for unfinished replays. */
  private async waitForOlderTransactions(replayId: string): Promise<void> {
    for (let looks = 0; looks < mostLooks; looks++) {
      if (!(await this.eventReplays.isWaiting(this.dataSource.manager, replayId))) return
      await pause(lookMs)
    }
  }
}
