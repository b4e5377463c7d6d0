import { Controller, HttpCode, Param, Post } from '@nestjs/common'
import { ApiAcceptedResponse, ApiOperation, ApiTags } from '@nestjs/swagger'

import { RequireScope } from '../../auth/access.js'
import { CurrentCaller } from '../../auth/caller.js'
import type { Caller } from '../../auth/caller.js'
import { ApiId } from '../../platform/http/api-docs.js'
import { JsonBody } from '../../platform/http/body.js'
import { CreateReplay, ReplayDto } from './replay.dto.js'
import { ReplaysService } from './replays.service.js'

@ApiTags('Deliveries')
@Controller('v1/webhooks/:id/replay')
export class ReplaysController {
  constructor(private readonly replays: ReplaysService) {}

  @Post()
  @HttpCode(202)
  @RequireScope('webhooks:write')
  @ApiOperation({
    operationId: 'replay',
    summary: 'Send many deliveries again',
    description:
      'All deliveries of a time that failed, or all that are completed, become `pending` again within moments, the oldest first, and are sent after whatever is new. What is pending already, tests, and what is older than events are kept is left alone. While the webhook is paused or disabled they are `held`.',
  })
  @ApiId('webhook')
  @ApiAcceptedResponse({ type: ReplayDto, description: 'They will be sent.' })
  create(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @JsonBody() body: CreateReplay,
  ): Promise<ReplayDto> {
    return this.replays.create(caller, id, body)
  }
}
