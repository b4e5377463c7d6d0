import type { Readable } from 'node:stream'

import { Controller, Get, Header, Query, Req, Res } from '@nestjs/common'
import { ApiHeader, ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { NarrowsToTags, RequireScope } from '../../auth/access.js'
import { AuthGuard } from '../../auth/auth.guard.js'
import { type Caller, CurrentCaller } from '../../auth/caller.js'
import { ApiProblems } from '../../platform/http/openapi/api-docs.js'
import { headers } from '../../platform/http/openapi/openapi-headers.js'
import { LiveClicksQuery } from '../click.dto.js'
import { LiveClicksService } from './live-clicks.service.js'

@ApiTags('Clicks')
@Controller('v1')
export class LiveClicksController {
  constructor(
    private readonly live: LiveClicksService,
    private readonly guard: AuthGuard,
  ) {}

  @Get('clicks/live')
  @RequireScope('clicks:read')
  @NarrowsToTags()
  @Header('content-type', 'text/event-stream; charset=utf-8')
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'followLiveClicks',
    summary: 'Stream live clicks',
    description:
      'Streams clicks as server-sent events, within a second. Each `click` event has the click as `data` and a cursor as `id`. The stream begins with an `id` without an event. To resume the stream without missing a click, send the last `id` as `Last-Event-ID`, with the same `link_id`. A comment is sent every 15 seconds. The stream ends when the token expires or is revoked, when the service stops, or when the client reads too slowly. Each process allows 5 concurrent streams per token and 20 per workspace (`WORKSPACE_LIVE_STREAMS`).',
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description:
      'The last `id` that you received, or empty to start at the oldest click. Default: new clicks only.',
  })
  @ApiProduces('text/event-stream')
  @ApiOkResponse({
    description: 'Stream of clicks.',
    headers: headers('X-Accel-Buffering'),
    content: {
      'text/event-stream': {
        schema: { type: 'string' },
        example:
          'id: eyJ0eCI5…\n\nid: eyJ0eCI6…\nevent: click\ndata: {"id":"clk_01kaj4d0qae6svf0k9w3m7x2ht", …}\n\n',
      },
    },
  })
  @ApiProblems('quota_exceeded')
  followLiveClicks(
    @CurrentCaller() caller: Caller,
    @Query() query: LiveClicksQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    return this.live
      .openStream(caller, query, getLastEventId(request), () => this.canRead(request))
      .then((stream) => disableBuffering(stream, reply))
  }

  /** Whether the client is connected and still has permission. A response to HEAD has no body to stream. */
  private async canRead(request: FastifyRequest): Promise<boolean> {
    const isConnected = request.method === 'GET' && !request.raw.socket.destroyed
    return isConnected && (await this.guard.stillAdmits(request))
  }
}

/** Tells proxies to forward each event immediately. */
function disableBuffering(stream: Readable, reply: FastifyReply): Readable {
  void reply.header('x-accel-buffering', 'no')
  return stream
}

function getLastEventId({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id']
  return typeof id === 'string' ? id : undefined
}
