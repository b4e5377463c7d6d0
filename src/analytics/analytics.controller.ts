import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common'
import {
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { NarrowsToTags, RequireScope } from '../auth/access.js'
import { type Caller, CurrentCaller } from '../auth/caller.js'
import { ApiProblems, ApiId } from '../platform/http/openapi/api-docs.js'
import { AnalyticsQuery, LinkAnalyticsQuery } from './query/analytics-query.dto.js'
import { AnalyticsDto, AnalyticsRowDto } from './query/analytics.dto.js'
import { AnalyticsService } from './query/analytics.service.js'
import { toCsv } from './query/analytics-response.js'

const analyticsResponse = {
  description: 'Click counts, as JSON or, with `Accept: text/csv`, as CSV.',
  content: {
    'application/json': { schema: { $ref: getSchemaPath(AnalyticsDto) } },
    'text/csv': {
      schema: { type: 'string' },
      example: 'row,country,clicks,human,visitors\r\ndata,DE,120,100,\r\n',
    },
  },
}

@ApiTags('Analytics')
@ApiExtraModels(AnalyticsDto, AnalyticsRowDto)
@Controller('v1')
export class AnalyticsController {
  constructor(private readonly analytics: AnalyticsService) {}

  @Get('analytics')
  @RequireScope('clicks:read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'getAnalytics',
    summary: 'Get workspace analytics',
    description:
      'Returns click counts for the workspace. Counts are exact, never estimated. A query that would read too many individual clicks returns 422 with the widest range that fits.',
  })
  @ApiProduces('application/json', 'text/csv')
  @ApiOkResponse(analyticsResponse)
  @ApiProblems('range_too_large', 'range_not_kept')
  countWorkspaceClicks(
    @CurrentCaller() caller: Caller,
    @Query() query: AnalyticsQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AnalyticsDto | string> {
    return this.analytics
      .countWorkspaceClicks(caller, query)
      .then((analytics) => negotiate(analytics, request, reply))
  }

  @Get('links/:id/analytics')
  @RequireScope('clicks:read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'getLinkAnalytics',
    summary: 'Get link analytics',
    description:
      'Returns click counts for a link. With `interval=all`, `totals` equals the `clicks` of the link.',
  })
  @ApiId('lnk', 'link')
  @ApiProduces('application/json', 'text/csv')
  @ApiOkResponse(analyticsResponse)
  @ApiProblems('range_too_large', 'range_not_kept')
  countLinkClicks(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: LinkAnalyticsQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AnalyticsDto | string> {
    return this.analytics
      .countLinkClicks(caller, id, query)
      .then((analytics) => negotiate(analytics, request, reply))
  }
}

/** Returns JSON or CSV, depending on the `Accept` header. */
function negotiate(
  analytics: AnalyticsDto,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): AnalyticsDto | string {
  void reply.header('vary', 'Accept')
  if (!prefersCsv(headers.accept ?? '')) return analytics
  void reply.header('content-type', 'text/csv; charset=utf-8')
  return toCsv(analytics)
}

/** Whether `Accept` gives CSV a higher weight than JSON. A wildcard means JSON. */
function prefersCsv(accept: string): boolean {
  const accepted = accept
    .split(',')
    .map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return { type, weight: weight ? Number(weight.slice(2)) : 1 }
    })
    .filter(({ type, weight }) => offered.includes(type) && weight > 0)
    .sort((one, other) => other.weight - one.weight)
  return accepted[0]?.type === 'text/csv'
}

const offered = ['application/json', 'text/csv', '*/*', 'application/*']
