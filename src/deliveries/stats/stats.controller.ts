import { Controller, Get, Param } from '@nestjs/common'
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger'

import { RequireScope } from '../../auth/access.js'
import { CurrentCaller } from '../../auth/caller.js'
import type { Caller } from '../../auth/caller.js'
import { ApiId } from '../../platform/http/api-docs.js'
import { StatsDto } from './stats.dto.js'
import { StatsService } from './stats.service.js'

@ApiTags('Deliveries')
@Controller('v1/webhooks/:id/stats')
export class StatsController {
  constructor(private readonly stats: StatsService) {}

  @Get()
  @RequireScope('webhooks:read')
  @ApiOperation({
    operationId: 'getWebhookStats',
    summary: "Read a webhook's ledger",
    description:
      'What became of every event for this webhook: `emitted` is always the sum of `succeeded`, `pending`, `held`, `failed` and `canceled`. What is sent again moves back to `pending`.',
  })
  @ApiId('webhook')
  @ApiOkResponse({ type: StatsDto, description: 'Counted.' })
  of(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<StatsDto> {
    return this.stats.of(caller, id)
  }
}
