import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'

import { EventsModule } from '../events/events.module.js'
import { LinksModule } from '../links/links.module.js'
import { ClickEvents } from './click-events.js'
import { ClickIngester } from './click-ingester.js'
import { ClickRecorder } from './click-recorder.js'
import { ClickRow } from './click.entity.js'
import { ClicksController } from './clicks.controller.js'
import { ClicksRepository } from './clicks.repository.js'
import { ClicksService } from './clicks.service.js'
import { Countries } from './countries.js'
import { VisitorSalt } from './visitor-salt.entity.js'
import { Visitors } from './visitors.js'

@Module({
  imports: [TypeOrmModule.forFeature([ClickRow, VisitorSalt]), EventsModule, LinksModule],
  controllers: [ClicksController],
  exports: [ClickRecorder],
  providers: [
    ClickEvents,
    ClickIngester,
    ClickRecorder,
    ClicksRepository,
    ClicksService,
    Countries,
    Visitors,
  ],
})
export class ClicksModule {}
