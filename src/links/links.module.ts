import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'

import { AuditModule } from '../audit/audit.module.js'
import { EventsModule } from '../events/events.module.js'
import { LinksByExternalIdController } from './batches/links-by-external-id.controller.js'
import { LinksByExternalIdService } from './batches/links-by-external-id.service.js'
import { Link, LinkCounter } from './link.entity.js'
import { BulkLinksController } from './batches/bulk-links.controller.js'
import { BulkLinksService } from './batches/bulk-links.service.js'
import { LinkBatches } from './batches/link-batches.js'
import { LinkBatchesRepository } from './batches/link-batches.repository.js'
import { SharedInserts } from './batches/shared-inserts.js'
import { LinkRules } from './link-rules.js'
import { LinksController } from './links.controller.js'
import { LinksRepository } from './links.repository.js'
import { LinksService } from './links.service.js'
import { QrController } from './qr/qr.controller.js'
import { QrService } from './qr/qr.service.js'
import { QrThread } from './qr/qr-thread.js'
import { LinksReadingController } from './reading/links-reading.controller.js'
import { LinksReadingRepository } from './reading/links-reading.repository.js'
import { LinksReadingService } from './reading/links-reading.service.js'
import { RedirectLinks } from './redirect/redirect-links.js'

@Module({
  imports: [TypeOrmModule.forFeature([Link, LinkCounter]), EventsModule],
  providers: [LinkBatches, LinkBatchesRepository, LinkRules, LinksRepository, RedirectLinks, SharedInserts],
  exports: [LinkBatches, LinkRules, LinksRepository, RedirectLinks, SharedInserts],
})
export class LinksModule {}

/** The HTTP API of links. It is a module of its own, because workers write links too but serve no calls. */
@Module({
  imports: [LinksModule, AuditModule],
  controllers: [
    BulkLinksController,
    LinksByExternalIdController,
    LinksController,
    LinksReadingController,
    QrController,
  ],
  providers: [
    BulkLinksService,
    LinksByExternalIdService,
    LinksReadingRepository,
    LinksReadingService,
    LinksService,
    QrService,
    QrThread,
  ],
})
export class LinksApiModule {}
