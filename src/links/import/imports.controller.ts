import { Controller, Delete, Get, Headers, HttpCode, Param, Post, Query } from '@nestjs/common'
import type { StreamableFile } from '@nestjs/common'
import {
  ApiBody,
  ApiAcceptedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger'

import { NarrowsToTags, RequireScope } from '../../auth/access.js'
import { type Caller, CurrentCaller } from '../../auth/caller.js'
import { ApiProblems, ApiId, ApiOk, ApiPage } from '../../platform/http/openapi/api-docs.js'
import { headers } from '../../platform/http/openapi/openapi-headers.js'
import { Repeatable } from '../../platform/http/idempotency.interceptor.js'
import { PageQuery } from '../../platform/http/input/page.js'
import type { Page } from '../../platform/http/input/page.js'
import { IfMatch } from '../../platform/http/resource-headers.js'
import { AddRouteConfig } from '../../platform/http/route-config.js'
import { BodyStream } from '../../platform/http/input/body.js'
import type { StreamedBody } from '../../platform/http/input/body.js'
import { CreateImportQuery, ImportDto } from './import.dto.js'
import { ImportsService } from './imports.service.js'

@ApiTags('Import and export')
@Controller('v1/imports')
export class ImportsController {
  constructor(private readonly imports: ImportsService) {}

  @ApiBody({ schema: { type: 'string', example: 'url,slug\nhttps://example.com/spring,spring\n' } })
  @Post()
  @HttpCode(202)
  @RequireScope('links:write')
  @NarrowsToTags()
  @AddRouteConfig({ location: '/v1/imports/:id' })
  @Repeatable()
  @ApiOperation({
    operationId: 'createImport',
    summary: 'Import links',
    description:
      'Imports links from a CSV file with a header row or from an NDJSON file, including exports of Bitly, Dub, Kutt, Shlink and YOURLS. A file can be up to 256 MiB, uncompressed, and a line up to 64 KiB. The response is sent when the file is stored. Workers then process the lines in order, each exactly once. A workspace runs up to two imports at a time. The file and its report are kept for 7 days after the import ends.',
  })
  @ApiAcceptedResponse({
    type: ImportDto,
    description: 'The file is stored and will be processed.',
    headers: headers('ETag', 'Location'),
  })
  @ApiProblems('quota_exceeded')
  create(
    @CurrentCaller() caller: Caller,
    @Query() query: CreateImportQuery,
    @BodyStream() body: StreamedBody,
  ): Promise<ImportDto> {
    return this.imports.create(caller, query, body)
  }

  @Get()
  @RequireScope('links:read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'listImports',
    summary: 'List imports',
    description: 'Lists running imports and those that ended in the last 7 days, newest first.',
  })
  @ApiPage(ImportDto)
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<Page<ImportDto>> {
    return this.imports.list(caller, query)
  }

  @Get(':id')
  @RequireScope('links:read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'getImport',
    summary: 'Get an import',
    description: 'Returns an import with its progress and the results so far.',
  })
  @ApiId('imp', 'import')
  @ApiOk(ImportDto)
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<ImportDto> {
    return this.imports.get(caller, id)
  }

  @Get(':id/report')
  @RequireScope('links:read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'getImportReport',
    summary: "Get an import's report",
    description:
      'Lists the failed lines so far in file order, each with its number, the reasons and its content, as CSV or, with `Accept: application/x-ndjson`, as NDJSON.',
  })
  @ApiId('imp', 'import')
  @ApiOkResponse({
    description: 'One line for each failed line of the file.',
    content: {
      'text/csv': {
        schema: {
          type: 'string',
          example:
            'line,code,reason,content\r\n17,invalid_url,"url: Must be a complete URL that starts with https:// or http://, such as https://example.com/page.",example.com\r\n',
        },
      },
      'application/x-ndjson': {
        schema: {
          type: 'string',
          example:
            '{"line":17,"errors":[{"field":"slug","code":"taken","detail":"The slug spring is taken."}],"content":"https://example.com,spring"}\n',
        },
      },
    },
  })
  report(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Headers('accept') accept: string | undefined,
  ): Promise<StreamableFile> {
    return this.imports.report(caller, id, accept)
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScope('links:write')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'cancelImport',
    summary: 'Cancel an import',
    description:
      'Cancels an import. Links that were already created are kept. Has no effect on an import that has ended.',
  })
  @ApiId('imp', 'import')
  @ApiNoContentResponse({ description: 'Canceled.' })
  cancel(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<void> {
    return this.imports.cancel(caller, id, ifMatch)
  }
}
