import { Controller, Get, Header, Inject } from '@nestjs/common'
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger'

import { NarrowsToTags, RequireScope } from '../../auth/access.js'
import { type Caller, CurrentCaller } from '../../auth/caller.js'
import { DeliveryPauses } from '../../deliveries/delivery-pause.js'
import { InPortal } from '../../auth/portal-access.js'
import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { DeliveryStateDto } from './delivery-state.dto.js'
import { EgressDto } from './egress.dto.js'
import { InstanceDto } from './instance.dto.js'
import { InstanceService } from './instance.service.js'

@ApiTags('Instance')
@Controller('v1/instance')
export class InstanceController {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly instance: InstanceService,
    private readonly pauses: DeliveryPauses,
  ) {}

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

  @Get('egress')
  @RequireScope('webhooks:read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'getEgress',
    summary: 'Get source IP addresses',
    description:
      'Returns the IP addresses that deliveries, tests and notices come from, so that a receiver can allow them in its firewall. Verify signatures as well: other workspaces send from the same addresses.',
  })
  @ApiOkResponse({ type: EgressDto, description: 'Success.' })
  getEgress(@CurrentCaller() caller: Caller): EgressDto {
    return EgressDto.from(this.settings, caller)
  }

  @Get('deliveries')
  @RequireScope('webhooks:read')
  @NarrowsToTags()
  @InPortal('read')
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'getDeliveryState',
    summary: 'Get the delivery state',
    description:
      'Returns whether the operator of the service has paused all deliveries. During a pause, events are still recorded, deliveries wait, and tests and notices are still sent.',
  })
  @ApiOkResponse({ type: DeliveryStateDto, description: 'Success.' })
  async getDeliveryState(): Promise<DeliveryStateDto> {
    return DeliveryStateDto.from(await this.pauses.findPause())
  }
}
