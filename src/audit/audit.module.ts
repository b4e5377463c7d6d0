import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'

import { declarePartitions } from '../platform/database/partition-maintenance.js'
import { AuditEntry, auditPartitions } from './audit-entry.entity.js'
import { AuditController } from './audit.controller.js'
import { AuditService } from './audit.service.js'

@Module({
  imports: [TypeOrmModule.forFeature([AuditEntry])],
  providers: [AuditService, declarePartitions(auditPartitions)],
  exports: [AuditService],
})
export class AuditModule {}

/** The HTTP API of the audit log. Separate, because workers record entries but do not serve requests. */
@Module({
  imports: [AuditModule],
  controllers: [AuditController],
})
export class AuditApiModule {}
