import { Controller, Get, Param, Req, Res } from '@nestjs/common'
import {
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { RequireScope } from '../auth/access.js'
import { type Caller, CurrentCaller } from '../auth/caller.js'
import { Answers, ApiId } from '../platform/http/openapi/api-docs.js'
import { QueryInput } from '../platform/http/input/input.pipe.js'
import { AnalyticsQuery, LinkAnalyticsQuery } from './query/analytics-query.dto.js'
import { AnalyticsDto, AnalyticsRowDto } from './query/analytics.dto.js'
import { AnalyticsService } from './query/analytics.service.js'
import { csvOf } from './query/answer.js'
import { analyticsProblems } from './analytics-problems.js'

const figures = {
  description: 'The figures; as a table with `Accept: text/csv`.',
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
  @ApiOperation({
    operationId: 'getAnalytics',
    summary: 'Count the clicks of the workspace',
    description:
      'Exact, a second after a visit as well as years later. What would have to read too many clicks one by one is refused, with the widest range that fits; nothing is estimated.',
  })
  @ApiProduces('application/json', 'text/csv')
  @ApiOkResponse(figures)
  @Answers(
    analyticsProblems.analytics_preparing,
    analyticsProblems.range_too_large,
    analyticsProblems.range_not_kept,
  )
  ofWorkspace(
    @CurrentCaller() caller: Caller,
    @QueryInput() query: AnalyticsQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AnalyticsDto | string> {
    return this.analytics.ofWorkspace(caller, query).then((answer) => asAccepted(answer, request, reply))
  }

  @Get('links/:id/analytics')
  @RequireScope('clicks:read')
  @ApiOperation({
    operationId: 'getLinkAnalytics',
    summary: 'Count the clicks of a link',
    description: 'As for the workspace. The sum over all time is `clicks` of the link.',
  })
  @ApiId('lnk', 'link')
  @ApiProduces('application/json', 'text/csv')
  @ApiOkResponse(figures)
  @Answers(
    analyticsProblems.analytics_preparing,
    analyticsProblems.range_too_large,
    analyticsProblems.range_not_kept,
  )
  ofLink(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @QueryInput() query: LinkAnalyticsQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AnalyticsDto | string> {
    return this.analytics.ofLink(caller, id, query).then((answer) => asAccepted(answer, request, reply))
  }
}

function asAccepted(
  answer: AnalyticsDto,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): AnalyticsDto | string {
  void reply.header('vary', 'Accept')
  if (!prefersCsv(headers.accept ?? '')) return answer
  void reply.header('content-type', 'text/csv; charset=utf-8')
  return csvOf(answer)
}

/** Whether the caller prefers CSV, by the weights in `Accept`. A wildcard means JSON. */
function prefersCsv(accept: string): boolean {
  const wanted = accept
    .split(',')
    .map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return { type, weight: weight ? Number(weight.slice(2)) : 1 }
    })
    .filter(({ type, weight }) => offered.includes(type) && weight > 0)
    .sort((one, other) => other.weight - one.weight)
  return wanted[0]?.type === 'text/csv'
}

const offered = ['application/json', 'text/csv', '*/*', 'application/*']
