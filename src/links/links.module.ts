import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'

import { EventsModule } from '../events/events.module.js'
import { LinkCounter } from './link-counter.entity.js'
import { Link } from './link.entity.js'
import { LinksController } from './links.controller.js'
import { LinksRepository } from './links.repository.js'
import { LinksService } from './links.service.js'
import { RedirectLinks } from './redirect-links.js'

@Module({
  imports: [TypeOrmModule.forFeature([Link, LinkCounter]), EventsModule],
  controllers: [LinksController],
  providers: [LinksRepository, LinksService, RedirectLinks],
  exports: [LinksRepository, RedirectLinks],
})
export class LinksModule {}
