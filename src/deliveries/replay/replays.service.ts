import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import type { Caller } from '../../auth/caller.js'
import { SETTINGS } from '../../platform/config/settings.js'
import type { RunningSettings } from '../../platform/config/settings.js'
import { afterCommit } from '../../platform/database/after-commit.js'
import { lowestIdAt, newId, timeOf } from '../../platform/database/ids.js'
import { WebhooksRepository } from '../../webhooks/webhooks.repository.js'
import { Problem } from '../../platform/http/problem.js'
import { JobQueue } from '../../platform/queue/job-queue.js'
import type { CreateReplay, ReplayDto } from './replay.dto.js'
import { Replay } from './replay.entity.js'
import { ReplaysRepository } from './replays.repository.js'

@Injectable()
export class ReplaysService {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly webhooks: WebhooksRepository,
    private readonly replays: ReplaysRepository,
    private readonly queue: JobQueue,
  ) {}

  /** Counts, and leaves the work to a runner: there may be more of it than a request can wait for. */
  async create(caller: Caller, id: string, body: CreateReplay): Promise<ReplayDto> {
    const webhook = await this.webhooks.get(caller.workspaceId, id)
    const replay = this.replayOf(webhook.id, body)
    const deliveries = await this.dataSource.transaction(async (tx) => {
      const count = await this.replays.count(tx, replay)
      if (count > 0) {
        await this.replays.insert(tx, replay)
        afterCommit(tx, () => this.queue.hint('replay', [{ replayId: replay.id }]))
      }
      return count
    })
    return { deliveries }
  }

  private replayOf(webhookId: string, body: CreateReplay): Replay {
    const id = newId()
    const now = timeOf(id)
    const since = new Date(body.since)
    const until = body.until === undefined ? now : new Date(body.until)
    if (since > now) throw wrong('/since', 'in_the_future', 'Write a time that has passed.')
    if (until <= since) throw wrong('/until', 'not_after_since', 'Write a time that is later than since.')
    const oldest = new Date(now.getTime() - this.settings.eventRetention * 1000)
    const from = since < oldest ? oldest : since
    return Object.assign(new Replay(), {
      id,
      webhookId,
      since: from,
      until: until < now ? until : now,
      status: body.status ?? 'failed',
      events: body.events ?? null,
      position: lowestIdAt(from),
      finishedAt: null,
    })
  }
}

function wrong(pointer: string, code: string, detail: string): Problem {
  return new Problem('validation_failed', {
    detail: `${pointer}: ${detail}`,
    errors: [{ pointer, code, detail }],
  })
}
