import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'

import { AuditModule } from '../audit/audit.module.js'
import { EventsModule } from '../events/events.module.js'
import { QueueWorkModule } from '../platform/queue/queue.module.js'
import { FilterTestsService } from './filter-tests.service.js'
import { WebhookHealth, webhookHealthJobs } from './webhook-health.js'
import { WebhookCredentials } from './webhook-credentials.js'
import { WebhookHeaders } from './webhook-headers.js'
import { WebhookSecrets } from './webhook-secrets.js'
import { Webhook } from './webhook.entity.js'
import { WebhooksController } from './webhooks.controller.js'
import { WebhooksRepository } from './webhooks.repository.js'
import { WebhooksReadingService } from './webhooks-reading.service.js'
import { WebhooksService } from './webhooks.service.js'

/** What `deliveries` and `dispatch` need from webhooks. */
@Module({
  imports: [TypeOrmModule.forFeature([Webhook])],
  providers: [WebhookCredentials, WebhookHeaders, WebhookSecrets, WebhooksRepository],
  exports: [WebhookCredentials, WebhookHeaders, WebhookSecrets, WebhooksRepository],
})
export class WebhooksModule {}

/** Reports and disables failing webhooks, in workers only. */
@Module({
  imports: [WebhooksModule, AuditModule, EventsModule, QueueWorkModule],
  providers: [WebhookHealth, webhookHealthJobs],
  exports: [WebhookHealth],
})
export class WebhookHealthModule {}

/** The webhook routes, which only the API role serves. */
@Module({
  imports: [WebhooksModule, AuditModule, EventsModule],
  controllers: [WebhooksController],
  providers: [FilterTestsService, WebhooksReadingService, WebhooksService],
})
export class WebhooksApiModule {}
