import { Controller, Get, Param, Query } from '@nestjs/common'
import { ApiOperation, ApiTags } from '@nestjs/swagger'

import { NarrowsToTags, RequireScope } from '../auth/access.js'
import { type Caller, CurrentCaller } from '../auth/caller.js'
import { ApiId, ApiPage } from '../platform/http/openapi/api-docs.js'
import { PageQuery } from '../platform/http/input/page.js'
import type { Page } from '../platform/http/input/page.js'
import { ClickDto, ClickFeedQuery } from './click.dto.js'
import { ClicksService } from './clicks.service.js'

@ApiTags('Clicks')
@Controller('v1')
export class ClicksController {
  constructor(private readonly clicks: ClicksService) {}

  @Get('links/:id/clicks')
  @RequireScope('clicks:read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'listLinkClicks',
    summary: "List a link's clicks",
    description: 'Lists the clicks of a link, newest first.',
  })
  @ApiId('lnk', 'link')
  @ApiPage(ClickDto)
  listLinkClicks(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: PageQuery,
  ): Promise<Page<ClickDto>> {
    return this.clicks.listLinkClicks(caller, id, query)
  }

  @Get('clicks')
  @RequireScope('clicks:read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'listClicks',
    summary: 'List clicks as a feed',
    description:
      'Lists all clicks of the workspace in the order in which they were recorded, oldest first. `next_cursor` is always returned: store it, and pass it as `after` to continue later.',
  })
  @ApiPage(ClickDto)
  listClicks(@CurrentCaller() caller: Caller, @Query() query: ClickFeedQuery): Promise<Page<ClickDto>> {
    return this.clicks.listClicks(caller, query)
  }
}
