import { Controller, Get, Param, Query } from '@nestjs/common'
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger'

import { NarrowsToTags, RequireScope } from '../../auth/access.js'
import { type Caller, CurrentCaller } from '../../auth/caller.js'
import { ApiId, ApiOk, ApiPage } from '../../platform/http/openapi/api-docs.js'
import { CreatedQuery, PageQuery } from '../../platform/http/input/page.js'
import type { Page } from '../../platform/http/input/page.js'
import { LinkDto } from '../link.dto.js'
import { LinkChangeDto, TagDto } from './links-reading.dto.js'
import { LinksReadingService } from './links-reading.service.js'
import { ResolutionDto, ResolveQuery } from './resolve.dto.js'
import { slugPattern } from '../urls.js'

@ApiTags('Links')
@Controller('v1')
export class LinksReadingController {
  constructor(private readonly links: LinksReadingService) {}

  @Get('links/by-slug/:slug')
  @RequireScope('links:read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'getLinkBySlug',
    summary: 'Get a link by slug',
    description: 'Returns a link.',
  })
  @ApiParam({
    name: 'slug',
    description: 'Slug of the link.',
    schema: { type: 'string', pattern: slugPattern, example: 'spring' },
  })
  @ApiOk(LinkDto)
  bySlug(@CurrentCaller() caller: Caller, @Param('slug') slug: string): Promise<LinkDto> {
    return this.links.bySlug(caller, slug)
  }

  @Get('links/:id/history')
  @RequireScope('links:read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'listLinkHistory',
    summary: "List a link's history",
    description: 'Lists the changes to a link, newest first, and who made them. Deleted links are included.',
  })
  @ApiId('lnk', 'link')
  @ApiPage(LinkChangeDto)
  history(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: CreatedQuery,
  ): Promise<Page<LinkChangeDto>> {
    return this.links.history(caller, id, query)
  }

  @Get('tags')
  @RequireScope('links:read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'listTags',
    summary: 'List tags',
    description: 'Lists tags and the number of links with each, most used first.',
  })
  @ApiPage(TagDto)
  tags(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<Page<TagDto>> {
    return this.links.tags(caller, query)
  }

  @Get('resolve')
  @RequireScope('links:read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'resolveSlug',
    summary: 'Preview a redirect',
    description: 'Returns what a visitor would get, now or at a given time, without recording a click.',
  })
  @ApiExtraModels(LinkDto)
  @ApiOkResponse({
    type: ResolutionDto,
    description: 'Outcome of the visit, including `unknown` if no link has this slug.',
  })
  resolve(@CurrentCaller() caller: Caller, @Query() query: ResolveQuery): Promise<ResolutionDto> {
    return this.links.resolve(caller, query)
  }
}
