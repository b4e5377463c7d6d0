import { Module } from '@nestjs/common'

import { ClicksModule } from '../clicks/clicks.module.js'
import { LinksModule } from '../links/links.module.js'
import { HealthController } from './health.controller.js'
import { HealthService } from './health.service.js'
import { Metrics } from './metrics.js'

@Module({
  imports: [ClicksModule, LinksModule],
  controllers: [HealthController],
  providers: [HealthService, Metrics],
})
export class HealthModule {}
