import { Controller, Get, Header, Res } from '@nestjs/common'
import {
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger'
import type { FastifyReply } from 'fastify'

import { Public } from '../../auth/access.js'
import { HealthDto, ReadinessDto } from './health.dto.js'
import { HealthService } from './health.service.js'
import type { Readiness } from './health.service.js'
import { Metrics } from './metrics.js'

@ApiTags('Operations')
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly metrics: Metrics,
  ) {}

  @Get('healthz')
  @Public()
  @ApiOperation({
    operationId: 'getHealth',
    summary: 'Ask whether the process runs',
    description: 'It runs and answers; whether it can work is said by `/readyz`.',
  })
  @ApiOkResponse({ type: HealthDto, description: 'It runs.' })
  @Header('cache-control', 'no-store')
  alive(): { status: 'ok' } {
    return { status: 'ok' }
  }

  @Get('readyz')
  @Public()
  @ApiOperation({
    operationId: 'getReadiness',
    summary: 'Ask whether the process can work',
    description: 'For load balancers: send requests only where this answers 200.',
  })
  @ApiOkResponse({ type: ReadinessDto, description: 'It can work.' })
  @ApiServiceUnavailableResponse({ type: ReadinessDto, description: 'It cannot work now; `parts` says why.' })
  @Header('cache-control', 'no-store')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    const readiness = await this.health.check()
    void reply.code(readiness.status === 'ok' ? 200 : 503)
    return readiness
  }

  @Get('metrics')
  @Public()
  @ApiOperation({
    operationId: 'getMetrics',
    summary: 'Read the metrics',
    description: 'For Prometheus: the process, the queue, redirects, clicks and deliveries.',
  })
  @ApiProduces('text/plain')
  @ApiOkResponse({ type: String, description: 'In the text format of Prometheus.' })
  async read(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    void reply.header('content-type', this.metrics.contentType)
    return this.metrics.read()
  }
}
