import { Controller, Get, Header } from '@nestjs/common'
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger'

import { RequireScope } from '../../auth/access.js'
import { InstanceDto } from './instance.dto.js'
import { InstanceService } from './instance.service.js'

@ApiTags('Instance')
@Controller('v1/instance')
export class InstanceController {
  constructor(private readonly instance: InstanceService) {}

  @Get()
  @RequireScope('instance:read')
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'getInstance',
    summary: 'Get settings and health checks',
    description:
      'Returns the settings of the responding process, each with its source, and the checks of the command `doctor`. Secrets are not returned. Tokens with this scope can be created only on the command line, because the settings apply to all workspaces. Not available to tokens that are restricted to tags.',
  })
  @ApiOkResponse({ type: InstanceDto, description: 'Success.' })
  getInstance(): Promise<InstanceDto> {
    return this.instance.getInstance()
  }
}
