import { Module } from '@nestjs/common'

import { InstanceController } from './instance.controller.js'
import { InstanceService } from './instance.service.js'

@Module({
  controllers: [InstanceController],
  providers: [InstanceService],
})
export class InstanceModule {}
