import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'

import { LedgerRepository } from './ledger.repository.js'
import { Replay } from './replay/replay.entity.js'
import { ReplayRunner } from './replay/replay-runner.js'
import { ReplaysRepository } from './replay/replays.repository.js'
import { Retention } from './retention.js'

/** What is done with many deliveries in the background. */
@Module({
  imports: [TypeOrmModule.forFeature([Replay])],
  providers: [LedgerRepository, ReplayRunner, ReplaysRepository, Retention],
  exports: [LedgerRepository, ReplayRunner, ReplaysRepository, Retention],
})
export class DeliveriesUpkeepModule {}
