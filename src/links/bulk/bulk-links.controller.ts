import { Body, Controller, HttpCode, Post, applyDecorators } from '@nestjs/common'
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger'

import { NarrowsToTags, RequireScope } from '../../auth/access.js'
import { type Caller, CurrentCaller } from '../../auth/caller.js'
import { ApiProblems } from '../../platform/http/openapi/api-docs.js'
import { MaxBodySize } from '../../platform/http/input/body.js'
import { Repeatable } from '../../platform/http/idempotency.interceptor.js'
import { BulkCreate, BulkDelete, BulkReportDto, BulkUpdate, maxBulkBytes } from './bulk.dto.js'
import { BulkLinksService } from './bulk-links.service.js'

function BulkOperation(): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    RequireScope('links:write'),
    NarrowsToTags(),
    Repeatable(),
    MaxBodySize(maxBulkBytes),
    ApiOkResponse({ type: BulkReportDto, description: 'Result of each item.' }),
    ApiProblems('conflict'),
  )
}

@ApiTags('Links')
@Controller('v1/links/bulk')
export class BulkLinksController {
  constructor(private readonly links: BulkLinksService) {}

  @Post()
  @BulkOperation()
  @ApiOperation({
    operationId: 'createLinks',
    summary: 'Create links in bulk',
    description:
      'Creates up to 1,000 links. The rules and events are those of `POST /v1/links`. Each link is also checked against the links before it in the list.',
  })
  create(@CurrentCaller() caller: Caller, @Body() body: BulkCreate): Promise<BulkReportDto> {
    return this.links.create(caller, body)
  }

  @Post('update')
  @BulkOperation()
  @ApiOperation({
    operationId: 'updateLinks',
    summary: 'Update links in bulk',
    description:
      'Updates up to 1,000 links by ID: applies the patch, removes tags, then adds tags. An unknown ID is reported as an error.',
  })
  update(@CurrentCaller() caller: Caller, @Body() body: BulkUpdate): Promise<BulkReportDto> {
    return this.links.update(caller, body)
  }

  @Post('delete')
  @BulkOperation()
  @ApiOperation({
    operationId: 'deleteLinks',
    summary: 'Delete links in bulk',
    description: 'Deletes up to 1,000 links by ID. Their slugs respond with 410 and are never reused.',
  })
  delete(@CurrentCaller() caller: Caller, @Body() body: BulkDelete): Promise<BulkReportDto> {
    return this.links.delete(caller, body)
  }
}
