import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'

import { EventsModule } from '../events/events.module.js'
import { LinkCounter } from './link-counter.entity.js'
import { Link } from './link.entity.js'
import { BulkLinksController } from './batches/bulk-links.controller.js'
import { BulkLinksService } from './batches/bulk-links.service.js'
import { LinkBatches } from './batches/link-batches.js'
import { LinkBatchesRepository } from './batches/link-batches.repository.js'
import { LinkRules } from './link-rules.js'
import { LinksController } from './links.controller.js'
import { LinksRepository } from './links.repository.js'
import { LinksService } from './links.service.js'
import { RedirectLinks } from './redirect-links.js'

@Module({
  imports: [TypeOrmModule.forFeature([Link, LinkCounter]), EventsModule],
  providers: [LinkBatches, LinkBatchesRepository, LinkRules, LinksRepository, RedirectLinks],
  exports: [LinkBatches, LinkRules, LinksRepository, RedirectLinks],
})
export class LinksModule {}

/** The calls, apart: who writes links in the background answers nobody. */
@Module({
  imports: [LinksModule],
  controllers: [BulkLinksController, LinksController],
  providers: [BulkLinksService, LinksService],
})
export class LinksApiModule {}
