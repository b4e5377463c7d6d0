import { Controller, Param, Put, Res } from '@nestjs/common'
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger'
import type { FastifyReply } from 'fastify'

import { RequireScope } from '../../auth/access.js'
import { type Caller, CurrentCaller } from '../../auth/caller.js'
import { Answers, ApiCreated, ApiOk } from '../../platform/http/openapi/api-docs.js'
import { JsonBody } from '../../platform/http/input/body.js'
import { IfMatch } from '../../platform/http/resource-headers.js'
import { AddRouteConfig } from '../../platform/http/request.js'
import { CreateLink, LinkDto } from '../link.dto.js'
import { LinksByExternalIdService } from './links-by-external-id.service.js'

@ApiTags('Links')
@Controller('v1/links/by-external-id')
export class LinksByExternalIdController {
  constructor(private readonly links: LinksByExternalIdService) {}

  @Put(':external_id')
  @RequireScope('links:write')
  @AddRouteConfig({ location: '/v1/links/:id' })
  @ApiOperation({
    operationId: 'putLinkByExternalId',
    summary: 'Make a link what is written here',
    description:
      'By your own id for it: the link is created, or changed to this, with absent fields back at their defaults. Its slug stays; another slug than its own is refused. Repeating the call changes nothing.',
  })
  @ApiParam({ name: 'external_id', description: 'Your own id for the link.', example: 'campaign-17' })
  @ApiOk(LinkDto)
  @ApiCreated(LinkDto)
  @Answers('conflict')
  async put(
    @CurrentCaller() caller: Caller,
    @Param('external_id') externalId: string,
    @JsonBody() body: CreateLink,
    @IfMatch() ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LinkDto> {
    const { isNew, link } = await this.links.put(caller, externalId, body, ifMatch)
    if (isNew) void reply.status(201)
    return link
  }
}
