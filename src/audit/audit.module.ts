import { Module, Controller, Get } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'
import { ApiOperation, ApiTags } from '@nestjs/swagger'

import { declarePartitions } from '../platform/database/partition-maintenance.js'
import { AuditEntry, auditPartitions } from './audit-entry.entity.js'
import { AuditService } from './audit.service.js'
import { RequireScope } from '../auth/access.js'
import { CurrentCaller } from '../auth/caller.js'
import type { Caller } from '../auth/caller.js'
import { ApiPage } from '../platform/http/api-docs.js'
import { QueryInput } from '../platform/http/input.pipe.js'
import type { Page } from '../platform/http/page.js'
import { AuditEntryDto, ListAuditQuery } from './audit.dto.js'

@ApiTags('Audit log')
@Controller('v1/audit-log')
class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @RequireScope('audit:read')
  @ApiOperation({
    operationId: 'listAuditEntries',
    summary: 'Read the audit log',
    description:
      'Who did what to which object, when, from which address. Newest first, append-only, never a secret.',
  })
  @ApiPage(AuditEntryDto)
  list(@CurrentCaller() caller: Caller, @QueryInput() query: ListAuditQuery): Promise<Page<AuditEntryDto>> {
    return this.audit.list(caller.workspaceId, query)
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([AuditEntry])],
  providers: [AuditService, declarePartitions(auditPartitions)],
  exports: [AuditService],
})
export class AuditModule {}

/** The calls, apart: a worker records, and answers nobody. */
@Module({
  imports: [AuditModule],
  controllers: [AuditController],
})
export class AuditApiModule {}
