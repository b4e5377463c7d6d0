import { Controller, Get, Query } from '@nestjs/common'
import { ApiOperation, ApiTags } from '@nestjs/swagger'

import { RequireScope } from '../auth/access.js'
import { type Caller, CurrentCaller } from '../auth/caller.js'
import { ApiPage } from '../platform/http/openapi/api-docs.js'
import type { Page } from '../platform/http/input/page.js'
import { AuditEntryDto, ListAuditQuery } from './audit.dto.js'
import { AuditService } from './audit.service.js'

@ApiTags('Audit log')
@Controller('v1/audit-log')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @RequireScope('audit:read')
  @ApiOperation({
    operationId: 'listAuditEntries',
    summary: 'List audit log entries',
    description:
      'Lists audit log entries, newest first: each action with its actor, object, time and IP address. Entries are never changed and contain no secrets.',
  })
  @ApiPage(AuditEntryDto)
  list(@CurrentCaller() caller: Caller, @Query() query: ListAuditQuery): Promise<Page<AuditEntryDto>> {
    return this.audit.list(caller.workspaceId, query)
  }
}
