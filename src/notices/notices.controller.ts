import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common'
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger'

import { RequireScope } from '../auth/access.js'
import { type Caller, CurrentCaller } from '../auth/caller.js'
import { Creates } from '../platform/http/idempotency.interceptor.js'
import { PageQuery } from '../platform/http/input/page.js'
import type { Page } from '../platform/http/input/page.js'
import { ApiProblems, ApiCreated, ApiId, ApiOk, ApiPage } from '../platform/http/openapi/api-docs.js'
import { IfMatch } from '../platform/http/resource-headers.js'
import { CreateNoticeTarget, NoticeTargetDto, NoticeTestDto, UpdateNoticeTarget } from './notices.dto.js'
import { NoticeTestsService } from './notice-tests.service.js'
import { NoticesReadingService } from './notices-reading.service.js'
import { NoticesService } from './notices.service.js'

@ApiTags('Notices')
@Controller('v1/workspace/notices')
export class NoticesController {
  constructor(
    private readonly notices: NoticesService,
    private readonly reading: NoticesReadingService,
    private readonly tests: NoticeTestsService,
  ) {}

  @Get()
  @RequireScope('webhooks:read')
  @ApiOperation({
    operationId: 'listNoticeTargets',
    summary: 'List notice targets',
    description:
      'Lists the notice targets of the workspace, newest first. Targets that the operator has set in `NOTICES` are not included.',
  })
  @ApiPage(NoticeTargetDto)
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<Page<NoticeTargetDto>> {
    return this.reading.list(caller, query)
  }

  @Post()
  @RequireScope('webhooks:write', 'events:read')
  @Creates('/v1/workspace/notices/:id')
  @ApiOperation({
    operationId: 'createNoticeTarget',
    summary: 'Create a notice target',
    description:
      'Creates a notice target: a Slack or Discord channel, or an email address. It receives at most one message per hour for each event type. Token events (`token.*`), which the default includes, also require the scope `tokens:read`.',
  })
  @ApiCreated(NoticeTargetDto)
  @ApiProblems('quota_exceeded')
  create(@CurrentCaller() caller: Caller, @Body() body: CreateNoticeTarget): Promise<NoticeTargetDto> {
    return this.notices.create(caller, body)
  }

  @Post('test')
  @HttpCode(200)
  @RequireScope('webhooks:write')
  @ApiOperation({
    operationId: 'testNotices',
    summary: 'Send a test notice',
    description:
      'Sends a test message to each target, and returns the results. With the scope `instance:read`, the targets in `NOTICES` are tested too. A workspace can send one test every 10 seconds.',
  })
  @ApiOkResponse({ type: NoticeTestDto, description: 'Success.' })
  test(@CurrentCaller() caller: Caller): Promise<NoticeTestDto> {
    return this.tests.sendTests(caller)
  }

  @Get(':id')
  @RequireScope('webhooks:read')
  @ApiOperation({
    operationId: 'getNoticeTarget',
    summary: 'Get a notice target',
    description: 'Returns a notice target, with the time and result of the last message to it.',
  })
  @ApiId('ntt', 'notice target')
  @ApiOk(NoticeTargetDto)
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<NoticeTargetDto> {
    return this.reading.get(caller, id)
  }

  @Patch(':id')
  @RequireScope('webhooks:write', 'events:read')
  @ApiOperation({
    operationId: 'updateNoticeTarget',
    summary: 'Update a notice target',
    description:
      'Updates the events that are sent to a target. Unsent notices of other events are dropped. Token events (`token.*`) also require the scope `tokens:read`. To change the address, create another target.',
  })
  @ApiId('ntt', 'notice target')
  @ApiOk(NoticeTargetDto)
  update(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: UpdateNoticeTarget,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<NoticeTargetDto> {
    return this.notices.update(caller, id, body, ifMatch)
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScope('webhooks:write')
  @ApiOperation({
    operationId: 'deleteNoticeTarget',
    summary: 'Delete a notice target',
    description: 'Deletes a target. Unsent notices for it are dropped.',
  })
  @ApiId('ntt', 'notice target')
  @ApiNoContentResponse({ description: 'Deleted.' })
  delete(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<void> {
    return this.notices.delete(caller, id, ifMatch)
  }
}
