/** Makes the deliveries of events that a webhook never had, in small transactions. It may die at any line. */
import { setTimeout as pause } from 'node:timers/promises'

import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { afterCommit } from '../../platform/database/after-commit.js'
import { Webhook } from '../../webhooks/webhook.entity.js'
import { LaneWaker } from '../lane-waker.js'
import { LedgerRepository } from '../ledger.repository.js'
import type { EventReplay } from './event-replay.entity.js'
import { EventReplaysRepository } from './event-replays.repository.js'

const batchSize = 1_000
const lookMs = 50
const mostLooks = 100

@Injectable()
export class EventReplayRunner {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly replays: EventReplaysRepository,
    private readonly ledger: LedgerRepository,
    private readonly waker: LaneWaker,
  ) {}

  /** Waits for the moments that transactions take. What still waits then is taken up by the maintenance of each minute. */
  async ripen(replayId: string): Promise<void> {
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
    const events = deletedAt ? [] : await this.replays.next(tx, replay, batchSize)
    const missing = events.filter(({ isMissing }) => isMissing)
    if (missing.length > 0) await this.replays.deliver(tx, webhookId, missing)
    replay.position = events.at(-1)?.id ?? replay.position
    if (events.length < batchSize) replay.finishedAt = new Date()
    await this.replays.update(tx, replay)
    if (missing.length > 0 && status === 'active') afterCommit(tx, () => this.waker.wake([webhookId]))
  }
}
