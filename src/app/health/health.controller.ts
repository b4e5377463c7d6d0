import { Controller, Get, Query, Res } from '@nestjs/common'
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger'
import type { FastifyReply } from 'fastify'

import { Public } from '../../auth/access.js'
import { AddRouteConfig } from '../../platform/http/route-config.js'
import { ApiProblems } from '../../platform/http/openapi/api-docs.js'
import { HealthDto, ReadinessDto, ReadinessQuery } from './health.dto.js'
import { HealthService } from './health.service.js'
import { Metrics } from './metrics/metrics.js'

@ApiTags('Operations')
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly metrics: Metrics,
  ) {}

  @Get('healthz')
  @Public()
  @AddRouteConfig({ isProbe: true })
  @ApiOperation({
    operationId: 'getHealth',
    summary: 'Liveness probe',
    description:
      'Returns 200 while the process is running. Use `/readyz` to decide whether to send requests to it.',
  })
  @ApiOkResponse({ type: HealthDto, description: 'The process is running.' })
  getHealth(): HealthDto {
    return { status: 'ok' }
  }

  @Get('readyz')
  @Public()
  @AddRouteConfig({ isProbe: true })
  @ApiOperation({
    operationId: 'getReadiness',
    summary: 'Readiness probe',
    description:
      'Returns 200 if the process has reached the database since it started and can serve redirects, even from memory. `?for=api` also requires that API calls can be served. A worker is ready if it can send deliveries.',
  })
  @ApiOkResponse({ type: ReadinessDto, description: 'The process is ready.' })
  @ApiProblems('not_ready')
  async getReadiness(@Query() { for: use }: ReadinessQuery): Promise<ReadinessDto> {
    return { status: 'ok', parts: await this.health.requireReady(use === 'api') }
  }

  @Get('metrics')
  @Public()
  @AddRouteConfig({ isScrape: true })
  @ApiOperation({
    operationId: 'getMetrics',
    summary: 'Get metrics',
    description:
      'Returns Prometheus metrics of requests, redirects, clicks, deliveries, the database and the process. `docs/metrics.md` lists them.',
  })
  @ApiProduces('text/plain')
  @ApiOkResponse({ type: String, description: 'Metrics in the Prometheus text format.' })
  async getMetrics(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    void reply.header('content-type', this.metrics.contentType)
    return this.metrics.read()
  }
}
