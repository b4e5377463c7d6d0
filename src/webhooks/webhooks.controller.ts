import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common'
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger'

import { NarrowsToTags, RequireScope } from '../auth/access.js'
import { type Caller, CurrentCaller } from '../auth/caller.js'
import { InPortal } from '../auth/portal-access.js'
import { ApiProblems, ApiCreated, ApiId, ApiOk, ApiPage } from '../platform/http/openapi/api-docs.js'
import { Creates, Repeatable } from '../platform/http/idempotency.interceptor.js'
import { IfMatch } from '../platform/http/resource-headers.js'
import { PageQuery } from '../platform/http/input/page.js'
import type { Page } from '../platform/http/input/page.js'
import { CreateFilterTest, FilterTestDto } from './filter-test.dto.js'
import { FilterTestsService } from './filter-tests.service.js'
import { NewSecretDto, WebhookDto } from './webhook.dto.js'
import { CreateWebhook, RotateSecret, UpdateWebhook } from './webhook-input.dto.js'
import { WebhooksReadingService } from './webhooks-reading.service.js'
import { WebhooksService } from './webhooks.service.js'

@ApiTags('Webhooks')
@Controller('v1/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly reading: WebhooksReadingService,
    private readonly filterTests: FilterTestsService,
  ) {}

  @Post()
  @RequireScope('webhooks:write', 'events:read')
  @NarrowsToTags()
  @Creates('/v1/webhooks/:id')
  @ApiOperation({
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'Creates a webhook, which receives a signed request for each event that matches its types and its filter. If `secret` is absent, a secret is generated and returned only in this response. Subscribing to token events (`token.*`) also requires the scope `tokens:read`.',
  })
  @ApiCreated(NewSecretDto)
  @ApiProblems('quota_exceeded')
  create(@CurrentCaller() caller: Caller, @Body() body: CreateWebhook): Promise<NewSecretDto> {
    return this.webhooks.create(caller, body)
  }

  @Get()
  @RequireScope('webhooks:read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description: 'Lists webhooks, newest first.',
  })
  @ApiPage(WebhookDto)
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<Page<WebhookDto>> {
    return this.reading.list(caller, query)
  }

  @Get(':id')
  @RequireScope('webhooks:read')
  @InPortal('read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'getWebhook',
    summary: 'Get a webhook',
    description:
      'Returns a webhook with its number of pending deliveries and its health: the last error, the success rate and the next attempt. The secret is not returned.',
  })
  @ApiId('wh', 'webhook')
  @ApiOk(WebhookDto)
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<WebhookDto> {
    return this.reading.get(caller, id)
  }

  @Patch(':id')
  @RequireScope('webhooks:write')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'updateWebhook',
    summary: 'Update a webhook',
    description:
      'Updates a webhook with a JSON merge patch: absent fields stay unchanged, and `null` clears a field. After `secret` is changed, requests are also signed with the old secret for 24 hours. A secret from an earlier change stops signing immediately. Changing `url` ends any pause requested by the old receiver. `filter` is merged too: its absent conditions stay unchanged. Changing `url`, `events` or `filter` also requires the scope `events:read`, because the webhook will receive those events, and `tokens:read` if the webhook subscribes to token events (`token.*`). Changing `url` also requires `tokens:read` if the webhook still has deliveries of token events, because they can be sent to the new URL.',
  })
  @ApiId('wh', 'webhook')
  @ApiOk(WebhookDto)
  update(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: UpdateWebhook,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<WebhookDto> {
    return this.webhooks.update(caller, id, body, ifMatch)
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScope('webhooks:write')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Deletes a webhook. Its pending deliveries are canceled.',
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
  @InPortal('rotate')
  @NarrowsToTags()
  @Repeatable()
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: "Rotate a webhook's secret",
    description:
      'Replaces the secret with the given one, or with a generated one that is returned only in this response. Requests are also signed with the old secret until the overlap ends. A secret from an earlier rotation stops signing immediately. If `secret` is the current secret, nothing is rotated, and `overlap` can only shorten the current overlap: `{"secret": "<current secret>", "overlap": "0s"}` stops signing with the old secret immediately.',
  })
  @ApiId('wh', 'webhook')
  @ApiOk(NewSecretDto)
  rotate(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: RotateSecret,
  ): Promise<NewSecretDto> {
    return this.webhooks.rotate(caller, id, body)
  }
  @Post(':id/filter/test')
  @HttpCode(200)
  @RequireScope('webhooks:read', 'events:read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'testWebhookFilter',
    summary: 'Test a filter',
    description:
      'Tests whether the filter of the webhook, or the given filter, includes a recorded event. Nothing is sent or changed.',
  })
  @ApiId('wh', 'webhook')
  @ApiOkResponse({ type: FilterTestDto, description: 'Success.' })
  testFilter(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: CreateFilterTest,
  ): Promise<FilterTestDto> {
    return this.filterTests.testFilter(caller, id, body)
  }
}
