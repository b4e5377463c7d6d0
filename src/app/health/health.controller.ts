import { Controller, Get, Header, Res } from '@nestjs/common'
import { ApiExcludeController } from '@nestjs/swagger'
import type { FastifyReply } from 'fastify'

import { Public } from '../../auth/access.js'
import { HealthService } from './health.service.js'
import type { Readiness } from './health.service.js'
import { Metrics } from './metrics.js'

@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly metrics: Metrics,
  ) {}

  /** Says that the process runs and answers; whether it can work is /readyz. */
  @Get('healthz')
  @Public()
  @Header('cache-control', 'no-store')
  alive(): { status: 'ok' } {
    return { status: 'ok' }
  }

  @Get('readyz')
  @Public()
  @Header('cache-control', 'no-store')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    const readiness = await this.health.check()
    void reply.code(readiness.status === 'ok' ? 200 : 503)
    return readiness
  }

  @Get('metrics')
  @Public()
  async read(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    void reply.header('content-type', this.metrics.contentType)
    return this.metrics.read()
  }
}
