import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'

import { AuditModule } from '../audit/audit.module.js'
import { NoticeOutbox } from '../events/ports.js'
import { QueueWorkModule } from '../platform/queue/queue.module.js'
import { WorkspacesModule } from '../workspaces/workspaces.module.js'
import { StoredNoticeOutbox } from './notice-outbox.js'
import { NoticeGroupsRepository } from './notice-groups.repository.js'
import { NoticeSender } from './notice-sender.js'
import { NoticeTargets } from './notice-targets.js'
import { NoticeGroup, NoticeTarget, NoticeTest, PendingNotice } from './notice.entity.js'
import { NoticesController } from './notices.controller.js'
import { noticeJobs, NoticesJob } from './notices.job.js'
import { NoticeTestsService } from './notice-tests.service.js'
import { NoticesReadingService } from './notices-reading.service.js'
import { NoticesService } from './notices.service.js'

/** Imported by the global module, because `events` needs the port. */
@Module({
  providers: [{ provide: NoticeOutbox, useClass: StoredNoticeOutbox }],
  exports: [NoticeOutbox],
})
export class NoticeOutboxModule {}

@Module({
  imports: [
    TypeOrmModule.forFeature([NoticeGroup, NoticeTarget, NoticeTest, PendingNotice]),
    WorkspacesModule,
  ],
  providers: [NoticeGroupsRepository, NoticeSender, NoticeTargets],
  exports: [NoticeGroupsRepository, NoticeSender, NoticeTargets],
})
class NoticesModule {}

/** The routes of notices. */
@Module({
  imports: [NoticesModule, AuditModule],
  controllers: [NoticesController],
  providers: [NoticesReadingService, NoticesService, NoticeTestsService],
})
export class NoticesApiModule {}

/** Sends notices, in workers only. */
@Module({
  imports: [NoticesModule, QueueWorkModule],
  providers: [NoticesJob, noticeJobs],
})
export class NoticesWorkerModule {}
