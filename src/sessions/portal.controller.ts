import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post, Req, Res } from '@nestjs/common'
import { ApiCreatedResponse, ApiExcludeController, ApiOperation, ApiTags } from '@nestjs/swagger'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { NarrowsToTags, Public, RequireScope } from '../auth/access.js'
import { CurrentCaller } from '../auth/caller.js'
import type { Caller } from '../auth/caller.js'
import { Repeatable } from '../platform/http/idempotency.interceptor.js'
import { SmallBody } from '../platform/http/input/body.js'
import { ApiId } from '../platform/http/openapi/api-docs.js'
import { Source, type RequestSource } from '../platform/http/request.js'
import { CreatePortalLink, PortalLinkDto, PortalSessionDto, PortalSignIn } from './portal.dto.js'
import { PortalLinksService } from './portal-links.service.js'
import { PortalSessionsService } from './portal-sessions.service.js'
import { SessionGuard } from './session-guard.js'

@ApiTags('Webhooks')
@Controller('v1/webhooks/:id/portal')
export class PortalController {
  constructor(private readonly links: PortalLinksService) {}

  @Post()
  @RequireScope('webhooks:read', 'webhooks:write')
  @NarrowsToTags()
  @Repeatable()
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'createPortalLink',
    summary: 'Create a portal link',
    description:
      'Creates a link to pages that show only this webhook and its deliveries. Give the link to the user who runs the receiver. The link works once. The link and its session also end when your token expires or is revoked.',
  })
  @ApiId('wh', 'webhook')
  @ApiCreatedResponse({ type: PortalLinkDto, description: 'Created.' })
  create(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: CreatePortalLink,
  ): Promise<PortalLinkDto> {
    return this.links.createLink(caller, id, body)
  }
}

/** Used only by the pages of the portal. */
@ApiExcludeController()
@Controller('dashboard/portal/session')
export class PortalSessionController {
  constructor(
    private readonly sessions: PortalSessionsService,
    private readonly guard: SessionGuard,
  ) {}

  @Post()
  @HttpCode(204)
  @Public()
  @SmallBody()
  async signIn(
    @Body() body: PortalSignIn,
    @Source() source: RequestSource,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    void reply.header('set-cookie', await this.sessions.signIn(body, source))
  }

  @Get()
  @Public()
  @Header('cache-control', 'no-store')
  async describe(@Req() request: FastifyRequest): Promise<PortalSessionDto> {
    return PortalSessionDto.from(await this.guard.findPortalSession(request))
  }

  @Delete()
  @HttpCode(204)
  @Public()
  async endSession(
    @Req() request: FastifyRequest,
    @Source() source: RequestSource,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    void reply.header('set-cookie', await this.sessions.endSession(request.raw, source))
  }
}
