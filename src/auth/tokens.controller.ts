import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common'
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger'

import { ApiProblems, ApiCreated, ApiId, ApiOk, ApiPage } from '../platform/http/openapi/api-docs.js'
import { SmallBody } from '../platform/http/input/body.js'
import { IfMatch } from '../platform/http/resource-headers.js'
import { Creates } from '../platform/http/idempotency.interceptor.js'
import { type Page, PageQuery } from '../platform/http/input/page.js'
import { Source, type RequestSource } from '../platform/http/request.js'
import { AnyToken, NarrowsToTags, Public, RequireScope } from './access.js'
import { type Caller, CurrentCaller, CurrentToken } from './caller.js'
import { TokenRevocation } from './token-revocation.js'
import {
  CreateToken,
  NewTokenDto,
  RevokeByValue,
  RevokeQuery,
  RotateToken,
  TokenDto,
  TokenWithUseDto,
} from './token.dto.js'
import type { Token } from './token.entity.js'
import { TokensReadingService } from './tokens-reading.service.js'
import { TokensService } from './tokens.service.js'

@ApiTags('Tokens')
@Controller('v1/auth')
export class TokensController {
  constructor(
    private readonly tokens: TokensService,
    private readonly reading: TokensReadingService,
    private readonly revocation: TokenRevocation,
  ) {}

  @Post('token')
  @RequireScope('tokens:write')
  @NarrowsToTags()
  @Creates('/v1/auth/token/:id')
  @ApiOperation({
    operationId: 'createToken',
    summary: 'Create a token',
    description:
      'Creates a token. Its value is returned only in this response. The new token cannot have scopes that the calling token lacks, and cannot expire after it. An `expires_in` that is too long by less than a minute is shortened.',
  })
  @ApiCreated(NewTokenDto)
  @ApiProblems('scope_escalation', 'quota_exceeded')
  create(@CurrentCaller() caller: Caller, @Body() body: CreateToken): Promise<NewTokenDto> {
    return this.tokens.create(caller, body)
  }

  @Get('tokens')
  @RequireScope('tokens:read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'listTokens',
    summary: 'List active tokens',
    description: 'Lists active tokens, newest first. Revoked and expired tokens are not included.',
  })
  @ApiPage(TokenWithUseDto)
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<Page<TokenWithUseDto>> {
    return this.reading.list(caller, query)
  }

  @Get('token/self')
  @AnyToken()
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'getOwnToken',
    summary: 'Get the calling token',
    description: 'Returns the token of this request: its workspace, scopes and expiry.',
  })
  @ApiOk(TokenDto)
  self(@CurrentToken() token: Token): TokenDto {
    return this.reading.self(token)
  }

  @Get('token/:id')
  @RequireScope('tokens:read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'getToken',
    summary: 'Get a token',
    description: 'Returns a token, including one that has expired or was revoked: see `status`.',
  })
  @ApiId('tok', 'token')
  @ApiOk(TokenWithUseDto)
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<TokenWithUseDto> {
    return this.reading.get(caller, id)
  }

  @Delete('token/self')
  @HttpCode(204)
  @AnyToken()
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'revokeOwnToken',
    summary: 'Revoke the calling token',
    description: 'Revokes the token of this request. It stops working immediately.',
  })
  @ApiNoContentResponse({ description: 'Revoked.' })
  revokeSelf(@CurrentCaller() caller: Caller, @IfMatch() ifMatch: string | undefined): Promise<void> {
    return this.tokens.revokeSelf(caller, ifMatch)
  }

  @Delete('token/:id')
  @HttpCode(204)
  @RequireScope('tokens:write')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'revokeToken',
    summary: 'Revoke a token',
    description: 'Revokes a token. The token stops working immediately. Safe to repeat.',
  })
  @ApiId('tok', 'token')
  @ApiNoContentResponse({ description: 'Revoked.' })
  revoke(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: RevokeQuery,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<void> {
    return this.tokens.revoke(caller, id, query, ifMatch)
  }

  @Post('token/:id/rotate')
  @RequireScope('tokens:write')
  @NarrowsToTags()
  @Creates('/v1/auth/token/:id')
  @ApiOperation({
    operationId: 'rotateToken',
    summary: 'Rotate a token',
    description:
      'Replaces a token with a new one that has the same name, scopes and expiry. The old token keeps working until the overlap ends.',
  })
  @ApiId('tok', 'token')
  @ApiCreated(NewTokenDto)
  @ApiProblems('scope_escalation', 'quota_exceeded')
  rotate(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: RotateToken,
  ): Promise<NewTokenDto> {
    return this.tokens.rotate(caller, id, body)
  }

  @Post('revoke')
  @HttpCode(204)
  @Public()
  @SmallBody()
  @ApiOperation({
    operationId: 'revokeTokenByValue',
    summary: 'Revoke a leaked token',
    description:
      'Revokes a token by its value, without authentication. The response is the same whether or not the token exists.',
  })
  @ApiNoContentResponse({ description: 'The token is revoked if it existed.' })
  revokeByValue(@Source() source: RequestSource, @Body() body: RevokeByValue): Promise<void> {
    return this.revocation.revokeByValue(body.token, source.address, source.requestId)
  }
}
