import { Body, Controller, Delete, HttpCode, Post, Query, Req, Res } from '@nestjs/common'
import { ApiExcludeController } from '@nestjs/swagger'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { Public } from '../auth/access.js'
import { SmallBody } from '../platform/http/input/body.js'
import { Source, type RequestSource } from '../platform/http/request.js'
import { EndSession, SignIn } from './session.dto.js'
import { SessionsService } from './sessions.service.js'

/** Used only by the dashboard (docs/dashboard.md). Not in the OpenAPI document, because programs use bearer tokens. */
@ApiExcludeController()
@Controller('dashboard/session')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Post()
  @HttpCode(204)
  @Public()
  @SmallBody()
  async signIn(
    @Body() body: SignIn,
    @Source() source: RequestSource,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    void reply.header('set-cookie', await this.sessions.signIn(body, source))
  }

  @Delete()
  @HttpCode(204)
  @Public()
  async endSession(
    @Req() request: FastifyRequest,
    @Query() query: EndSession,
    @Source() source: RequestSource,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    void reply.header('set-cookie', await this.sessions.endSession(request.raw, query, source))
  }
}
