/** Does what replays ask for, in small transactions. A runner may die at any line, and several may run at once. */
import { setTimeout as pause } from 'node:timers/promises'

import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { afterCommit } from '../../platform/database/after-commit.js'
import { declareJobs, Handles } from '../../platform/queue/jobs.js'
import type { JobHandler, Jobs } from '../../platform/queue/jobs.js'
import { Webhook } from '../../webhooks/webhook.entity.js'
import { LaneWaker } from '../lanes.repository.js'
import { LedgerRepository } from '../ledger.repository.js'
import type { EventReplay, Replay } from './replay.entity.js'
import { EventReplaysRepository, ReplaysRepository } from './replays.repository.js'

declare module '../../platform/queue/jobs.js' {
  interface Jobs {
    /** Completed deliveries are to be sent again. */
    replay: { replayId: string }
  }
}

export const replayJobs = declareJobs({ replay: { hintKey: ({ replayId }) => replayId } })

const deliveriesInBatch = 500
const eventsInBatch = 1_000
const lookMs = 50
const mostLooks = 100

/** Makes the deliveries of events that a webhook never had. */
@Injectable()
export class EventReplayRunner {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly replays: EventReplaysRepository,
    private readonly ledger: LedgerRepository,
    private readonly waker: LaneWaker,
  ) {}

  /** Waits some moments for older transactions to end. The maintenance of each minute takes up what still waits then. */
  async waitForOlderTransactions(replayId: string): Promise<void> {
    for (let looks = 0; looks < mostLooks; looks++) {
      if (!(await this.replays.isWaiting(this.dataSource.manager, replayId))) return
      await pause(lookMs)
    }
  }

  /** One batch; false when there is nothing to do. */
  runSome(replayId: string | null): Promise<boolean> {
    return this.dataSource.transaction(async (tx) => {
      const replay = await this.replays.claim(tx, replayId)
      if (replay) await this.goOn(tx, replay)
      return replay !== null
    })
  }

  /** The lane is locked before events are looked at: so another replay of this webhook has committed what it made. */
  private async goOn(tx: EntityManager, replay: EventReplay): Promise<void> {
    const { webhookId } = replay
    await this.ledger.lock(tx, webhookId)
    const { status, deletedAt } = await tx.findOneByOrFail(Webhook, { id: webhookId })
    const events = deletedAt ? [] : await this.replays.next(tx, replay, eventsInBatch)
    const missing = events.filter(({ isMissing }) => isMissing)
    if (missing.length > 0) await this.replays.deliver(tx, webhookId, missing)
    replay.position = events.at(-1)?.id ?? replay.position
    if (events.length < eventsInBatch) replay.finishedAt = new Date()
    await this.replays.update(tx, replay)
    if (missing.length > 0 && status === 'active') afterCommit(tx, () => this.waker.wake([webhookId]))
  }
}

/** Sends completed deliveries again, and runs the replays of events above. */
@Injectable()
export class ReplayRunner {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly replays: ReplaysRepository,
    private readonly ledger: LedgerRepository,
    private readonly waker: LaneWaker,
    private readonly events: EventReplayRunner,
  ) {}

  /** Runs until this replay, or every replay, is finished or held by another runner. */
  async run(replayId: string | null = null): Promise<void> {
    while (await this.runSome(replayId));
  }

  /** One batch; false when there is nothing to do. */
  async runSome(replayId: string | null = null): Promise<boolean> {
    return (await this.resendSome(replayId)) || this.events.runSome(replayId)
  }

  private resendSome(replayId: string | null): Promise<boolean> {
    return this.dataSource.transaction(async (tx) => {
      const replay = await this.replays.claim(tx, replayId)
      if (replay) await this.goOn(tx, replay)
      return replay !== null
    })
  }

  private async goOn(tx: EntityManager, replay: Replay): Promise<void> {
    const { webhookId } = replay
    await this.ledger.lock(tx, webhookId)
    const { status, deletedAt } = await tx.findOneByOrFail(Webhook, { id: webhookId })
    const ids = deletedAt ? [] : await this.replays.next(tx, replay, deliveriesInBatch)
    const reopened = await this.ledger.reopen(tx, webhookId, ids)
    replay.position = ids.at(-1) ?? replay.position
    if (ids.length < deliveriesInBatch) replay.finishedAt = new Date()
    await this.replays.update(tx, replay)
    if (reopened > 0 && status === 'active') afterCommit(tx, () => this.waker.wake([webhookId]))
  }
}

@Injectable()
@Handles('replay')
export class ReplayJob implements JobHandler<'replay'> {
  constructor(
    private readonly runner: ReplayRunner,
    private readonly events: EventReplayRunner,
  ) {}

  async handle({ replayId }: Jobs['replay']): Promise<void> {
    await this.events.waitForOlderTransactions(replayId)
    await this.runner.run(replayId)
  }
}
