import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'

import { AuditModule } from '../audit/audit.module.js'
import { EventsModule } from '../events/events.module.js'
import { Link, LinkCounter } from './link.entity.js'
import { BulkLinksController } from './bulk/bulk-links.controller.js'
import { BulkLinksService } from './bulk/bulk-links.service.js'
import { LinkWriter } from './write/link-writer.js'
import { LinkRules } from './link-rules.js'
import { LinksController } from './links.controller.js'
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
  providers: [LinkWriter, LinkRules, RedirectLinks],
  exports: [LinkWriter, LinkRules, RedirectLinks],
})
export class LinksModule {}

/** The HTTP API of links. Separate, because workers write links but do not serve requests. */
@Module({
  imports: [LinksModule, AuditModule],
  controllers: [BulkLinksController, LinksController, LinksReadingController, QrController],
  providers: [
    BulkLinksService,
    LinksReadingRepository,
    LinksReadingService,
    LinksService,
    QrService,
    QrThread,
  ],
})
export class LinksApiModule {}
