import { Controller, Get, Query } from '@nestjs/common'
import type { StreamableFile } from '@nestjs/common'
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger'

import { RequireScope } from '../auth/access.js'
import { type Caller, CurrentCaller } from '../auth/caller.js'
import { headers } from '../platform/http/openapi/openapi-headers.js'
import { csvLine } from '../platform/util/csv.js'
import { ApiPage } from '../platform/http/openapi/api-docs.js'
import type { Page } from '../platform/http/input/page.js'
import { auditColumns } from './audit-export.js'
import { AuditEntryDto, ExportAuditQuery, ListAuditQuery } from './audit.dto.js'
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
      'Lists audit log entries, newest first: each action with its actor, object, time and IP address. Entries are never changed and contain no secrets. Not available to tokens that are restricted to tags.',
  })
  @ApiPage(AuditEntryDto)
  list(@CurrentCaller() caller: Caller, @Query() query: ListAuditQuery): Promise<Page<AuditEntryDto>> {
    return this.audit.list(caller.workspaceId, query)
  }

  @Get('export')
  @RequireScope('audit:read')
  @ApiOperation({
    operationId: 'exportAuditEntries',
    summary: 'Export audit log entries',
    description:
      'Exports all audit log entries that match the filters as CSV, newest first. An export is aborted after ten minutes, and a workspace can run two exports at a time. Cells that a spreadsheet would run as formulas are prefixed with an apostrophe. Not available to tokens that are restricted to tags.',
  })
  @ApiOkResponse({
    description: 'Stream of entries.',
    headers: headers('Content-Disposition'),
    content: { 'text/csv': { schema: { type: 'string', example: csvLine(auditColumns) } } },
  })
  export(@CurrentCaller() caller: Caller, @Query() query: ExportAuditQuery): StreamableFile {
    return this.audit.export(caller.workspaceId, query)
  }
}
