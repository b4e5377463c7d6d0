import { Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common'
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger'

import { RequireScope } from '../auth/access.js'
import { type Caller, CurrentCaller } from '../auth/caller.js'
import { Answers, ApiCreated, ApiId, ApiOk, ApiPage } from '../platform/http/openapi/api-docs.js'
import { JsonBody } from '../platform/http/input/body.js'
import { Creates, Repeatable } from '../platform/http/idempotency.interceptor.js'
import { IfMatch } from '../platform/http/resource-headers.js'
import { QueryInput } from '../platform/http/input/input.pipe.js'
import { PageQuery } from '../platform/http/input/page.js'
import type { Page } from '../platform/http/input/page.js'
import { WebhookBodyPipe } from './webhook-url.js'
import { CreateWebhook, NewSecretDto, RotateSecret, UpdateWebhook, WebhookDto } from './webhook.dto.js'
import { WebhooksService } from './webhooks.service.js'

@ApiTags('Webhooks')
@Controller('v1/webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Post()
  @RequireScope('webhooks:write', 'events:read')
  @Creates('/v1/webhooks/:id')
  @ApiOperation({
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'From then on every event that it subscribes to is sent to its address, signed. Where the body has no `secret`, one is made, and this answer is the only place where it is shown.',
  })
  @ApiCreated(NewSecretDto)
  @Answers('quota_exceeded')
  create(
    @CurrentCaller() caller: Caller,
    @JsonBody(WebhookBodyPipe) body: CreateWebhook,
  ): Promise<NewSecretDto> {
    return this.webhooks.create(caller, body)
  }

  @Get()
  @RequireScope('webhooks:read')
  @ApiOperation({ operationId: 'listWebhooks', summary: 'List webhooks', description: 'Newest first.' })
  @ApiPage(WebhookDto)
  list(@CurrentCaller() caller: Caller, @QueryInput() query: PageQuery): Promise<Page<WebhookDto>> {
    return this.webhooks.list(caller, query)
  }

  @Get(':id')
  @RequireScope('webhooks:read')
  @ApiOperation({
    operationId: 'getWebhook',
    summary: 'Read a webhook',
    description: 'With what waits for it and since when it fails. The secret is not shown.',
  })
  @ApiId('wh', 'webhook')
  @ApiOk(WebhookDto)
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<WebhookDto> {
    return this.webhooks.get(caller, id)
  }

  @Patch(':id')
  @RequireScope('webhooks:write')
  @ApiOperation({
    operationId: 'updateWebhook',
    summary: 'Change a webhook',
    description:
      'A merge patch: what is absent stays, null clears. After a change of `secret` the old one signs beside the new one for 24 hours; one that was still signing from an earlier change ends at once. A change of `url` ends whatever pause the old address had caused. What changes `url` or `events` needs the scope `events:read` too, as the webhook will receive them; sending either as it is changes nothing.',
  })
  @ApiId('wh', 'webhook')
  @ApiOk(WebhookDto)
  update(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @JsonBody(WebhookBodyPipe) body: UpdateWebhook,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<WebhookDto> {
    return this.webhooks.update(caller, id, body, ifMatch)
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScope('webhooks:write')
  @ApiOperation({
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Nothing more is sent to it; what was still to be sent is canceled.',
  })
  @ApiId('wh', 'webhook')
  @ApiNoContentResponse({ description: 'Deleted.' })
  delete(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<void> {
    return this.webhooks.delete(caller, id, ifMatch)
  }

  @Post(':id/secret/rotate')
  @HttpCode(200)
  @RequireScope('webhooks:write')
  @Repeatable()
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'Rotate the secret',
    description:
      'Gives the webhook a new secret: the one in the body, or one that is made and shown in this answer only. The old one signs beside it until the overlap ends; one that was still signing from an earlier rotation ends at once. With the present secret in the body nothing is rotated, and the overlap can only become shorter: `{"secret": "<the present one>", "overlap": "0s"}` ends the old secret now.',
  })
  @ApiId('wh', 'webhook')
  @ApiOk(NewSecretDto)
  rotate(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @JsonBody() body: RotateSecret,
  ): Promise<NewSecretDto> {
    return this.webhooks.rotate(caller, id, body)
  }
}
