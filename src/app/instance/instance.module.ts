import { Controller, Get, Header, Module } from '@nestjs/common'
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger'

import { RequireScope } from '../../auth/access.js'
import { InstanceDto } from './instance.dto.js'
import { InstanceService } from './instance.service.js'

@ApiTags('Instance')
@Controller('v1/instance')
class InstanceController {
  constructor(private readonly instance: InstanceService) {}

  @Get()
  @RequireScope('instance:read')
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'getInstance',
    summary: 'Read the settings and what doctor finds',
    description:
      'The settings of the process that answers, each with where it comes from, and what the command `doctor` would say. No secret is shown. The scope is given on the command line only, because the service belongs to no workspace.',
  })
  @ApiOkResponse({ type: InstanceDto, description: 'As it stands now.' })
  get(): Promise<InstanceDto> {
    return this.instance.get()
  }
}

@Module({
  controllers: [InstanceController],
  providers: [InstanceService],
})
export class InstanceModule {}
