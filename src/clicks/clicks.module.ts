import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'

import { AuthModule } from '../auth/auth.module.js'
import { LinksModule } from '../links/links.module.js'
import { declarePartitions } from '../platform/database/partition-maintenance.js'
import { ClickRecorder } from './click-recorder.js'
import { ClickTarget, StoredClick, VisitorSalt, clickPartitions } from './click.entity.js'
import { ClicksController } from './clicks.controller.js'
import { ClicksRepository } from './clicks.repository.js'
import { ClicksService } from './clicks.service.js'
import { LiveClicksController } from './live/live-clicks.controller.js'
import { LiveClicksService } from './live/live-clicks.service.js'

@Module({
  imports: [TypeOrmModule.forFeature([StoredClick, ClickTarget, VisitorSalt]), LinksModule, AuthModule],
  controllers: [ClicksController, LiveClicksController],
  exports: [ClickRecorder],
  providers: [
    ClickRecorder,
    ClicksRepository,
    ClicksService,
    LiveClicksService,
    declarePartitions(clickPartitions),
  ],
})
export class ClicksModule {}
