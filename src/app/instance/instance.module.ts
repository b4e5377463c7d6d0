import { Module } from '@nestjs/common'

import { DeliveryPauses } from '../../deliveries/delivery-pause.js'
import { ProcessesRepository } from '../processes/processes.repository.js'
import { InstanceController } from './instance.controller.js'
import { InstanceService } from './instance.service.js'

@Module({
  controllers: [InstanceController],
  providers: [DeliveryPauses, InstanceService, ProcessesRepository],
})
export class InstanceModule {}
