import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query, Res } from '@nestjs/common'
import { ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger'
import type { FastifyReply } from 'fastify'

import { NarrowsToTags, RequireScope } from '../auth/access.js'
import { type Caller, CurrentCaller } from '../auth/caller.js'
import { ApiProblems, ApiCreated, ApiId, ApiOk, ApiPage } from '../platform/http/openapi/api-docs.js'
import { Creates } from '../platform/http/idempotency.interceptor.js'
import { AddRouteConfig } from '../platform/http/route-config.js'
import { IfMatch, IfNoneMatch } from '../platform/http/resource-headers.js'
import type { Page } from '../platform/http/input/page.js'
import { CreateLink, LinkDto, UpdateLink } from './link.dto.js'
import { LinksService } from './links.service.js'
import { ListLinksQuery } from './list-links.dto.js'
import { LinksReadingService } from './reading/links-reading.service.js'

@ApiTags('Links')
@Controller('v1/links')
export class LinksController {
  constructor(
    private readonly links: LinksService,
    private readonly reading: LinksReadingService,
  ) {}

  @Post()
  @RequireScope('links:write')
  @NarrowsToTags()
  @Creates('/v1/links/:id')
  @ApiOperation({
    operationId: 'createLink',
    summary: 'Create a link',
    description: 'Creates a link. Only `url` is required. The link works immediately.',
  })
  @ApiCreated(LinkDto)
  @ApiProblems('conflict')
  create(@CurrentCaller() caller: Caller, @Body() body: CreateLink): Promise<LinkDto> {
    return this.links.create(caller, body)
  }

  @Get()
  @RequireScope('links:read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'listLinks',
    summary: 'List links',
    description: 'Lists links, newest first by default. Filters are combined with AND.',
  })
  @ApiPage(LinkDto)
  list(@CurrentCaller() caller: Caller, @Query() query: ListLinksQuery): Promise<Page<LinkDto>> {
    return this.reading.list(caller, query)
  }

  @Get(':id')
  @RequireScope('links:read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'getLink',
    summary: 'Get a link',
    description: 'Returns a link with its click counts.',
  })
  @ApiId('lnk', 'link')
  @ApiOk(LinkDto)
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<LinkDto> {
    return this.reading.get(caller, id)
  }

  @Patch(':id')
  @RequireScope('links:write')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'updateLink',
    summary: 'Update a link',
    description:
      'Updates a link with a JSON merge patch: absent fields stay unchanged, and `null` clears a field. The slug cannot be changed. Redirects reflect the change within a second.',
  })
  @ApiId('lnk', 'link')
  @ApiOk(LinkDto)
  @ApiProblems('conflict')
  update(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: UpdateLink,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<LinkDto> {
    return this.links.update(caller, id, body, ifMatch)
  }

  @Put('by-external-id/:external_id')
  @RequireScope('links:write')
  @NarrowsToTags()
  @AddRouteConfig({ location: '/v1/links/:id' })
  @ApiOperation({
    operationId: 'putLinkByExternalId',
    summary: 'Create or replace a link by external ID',
    description:
      'Creates a link with this external ID, or replaces all fields of the existing link: absent fields are reset to their defaults. An existing link keeps its slug, and a different `slug` is an error. Safe to repeat.',
  })
  @ApiParam({ name: 'external_id', description: 'Your own ID for the link.', example: 'campaign-17' })
  @ApiOk(LinkDto)
  @ApiCreated(LinkDto)
  @ApiProblems('conflict')
  async put(
    @CurrentCaller() caller: Caller,
    @Param('external_id') externalId: string,
    @Body() body: CreateLink,
    @IfMatch() ifMatch: string | undefined,
    @IfNoneMatch() ifNoneMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LinkDto> {
    const { isNew, link } = await this.links.put(caller, externalId, body, { ifMatch, ifNoneMatch })
    if (isNew) void reply.status(201)
    return link
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScope('links:write')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'deleteLink',
    summary: 'Delete a link',
    description: 'Deletes a link. The short link responds with 410, and the slug is never reused.',
  })
  @ApiId('lnk', 'link')
  @ApiNoContentResponse({ description: 'Deleted.' })
  delete(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<void> {
    return this.links.delete(caller, id, ifMatch)
  }
}
