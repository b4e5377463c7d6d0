import { Controller, HttpCode, Param, Post } from '@nestjs/common'
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger'

import { RequireScope } from '../../auth/access.js'
import { CurrentCaller } from '../../auth/caller.js'
import type { Caller } from '../../auth/caller.js'
import { Answers, ApiId } from '../../platform/http/api-docs.js'
import { JsonBody } from '../../platform/http/body.js'
import { CreateTestSend, TestSendDto } from './test-send.dto.js'
import { TestSendsService } from './test-sends.service.js'

@ApiTags('Deliveries')
@Controller('v1/webhooks/:id/test')
export class TestSendsController {
  constructor(private readonly sends: TestSendsService) {}

  @Post()
  @HttpCode(200)
  @RequireScope('webhooks:write')
  @ApiOperation({
    operationId: 'testWebhook',
    summary: 'Send a test to a webhook',
    description:
      'One signed request, now, also to a webhook that is paused or disabled; the answer says all about it. A test counts nowhere, is not repeated, and goes to this webhook only. A `webhook.test` is an event that `/v1/events` has too; the example of another type is not, so that nobody takes it for a real one.',
  })
  @ApiId('webhook')
  @ApiOkResponse({
    type: TestSendDto,
    description: 'It was sent; `delivered` and `verdict` say how that went.',
  })
  @Answers('secret_unreadable')
  send(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @JsonBody() body: CreateTestSend,
  ): Promise<TestSendDto> {
    return this.sends.send(caller, id, body)
  }
}
