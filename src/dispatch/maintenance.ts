/** What one worker does for all once in a while. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { Handles } from '../platform/queue/job-handlers.js'
import type { JobHandler } from '../platform/queue/job-handlers.js'
import { WebhookHealth } from '../webhooks/webhook-health.js'
import { ReplayRunner } from '../deliveries/replay/replay-runner.js'
import { Retention } from '../deliveries/retention.js'

@Injectable()
@Handles('upkeep')
export class Maintenance implements JobHandler<'upkeep'> {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly health: WebhookHealth,
    private readonly replays: ReplayRunner,
    private readonly retention: Retention,
  ) {}

  async handle(): Promise<void> {
    await this.health.sweep()
    await this.replays.run()
    await this.retention.run()
    await this.dataSource.query(`DELETE FROM workers WHERE alive_until < now() - interval '1 hour'`)
  }
}
