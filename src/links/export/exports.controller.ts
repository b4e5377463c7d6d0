import { Controller, Get, Query } from '@nestjs/common'
import type { StreamableFile } from '@nestjs/common'
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger'

import { NarrowsToTags, RequireScope } from '../../auth/access.js'
import { type Caller, CurrentCaller } from '../../auth/caller.js'
import { headers } from '../../platform/http/openapi/openapi-headers.js'
import { csvLine } from '../../platform/util/csv.js'
import { ExportLinksQuery } from './export.dto.js'
import { exportColumns, ExportsService } from './exports.service.js'

@ApiTags('Import and export')
@Controller('v1/links/export')
export class ExportsController {
  constructor(private readonly exports: ExportsService) {}

  @Get()
  @RequireScope('links:read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'exportLinks',
    summary: 'Export links',
    description:
      'Streams all links that match the filters, as of one point in time. An export is aborted after ten minutes, and a workspace can run two exports at a time. In CSV, cells that a spreadsheet would treat as formulas start with an apostrophe, which imports remove.',
  })
  @ApiOkResponse({
    description: 'Stream of links.',
    headers: headers('Content-Disposition'),
    content: {
      'text/csv': {
        schema: {
          type: 'string',
          example: csvLine(exportColumns),
        },
      },
      'application/x-ndjson': {
        schema: { type: 'string', example: '{"id":"lnk_01kaj3v9z4f8hva3x7m2c5d6ne","slug":"spring"}\n' },
      },
    },
  })
  export(@CurrentCaller() caller: Caller, @Query() query: ExportLinksQuery): Promise<StreamableFile> {
    return this.exports.export(caller, query)
  }
}
