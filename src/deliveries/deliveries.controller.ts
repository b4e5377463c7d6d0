/** Routes for deliveries. */
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common'
import {
  ApiAcceptedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger'

import { NarrowsToTags, RequireScope } from '../auth/access.js'
import { type Caller, CurrentCaller } from '../auth/caller.js'
import { InPortal } from '../auth/portal-access.js'
import { ApiProblems, ApiId, ApiOk, ApiPage } from '../platform/http/openapi/api-docs.js'
import { Repeatable } from '../platform/http/idempotency.interceptor.js'
import { headers } from '../platform/http/openapi/openapi-headers.js'
import type { Page } from '../platform/http/input/page.js'
import {
  ExplainLinkQuery,
  ExplainQuery,
  ExplanationDto,
  SubjectExplanationDto,
} from './explain/explain.dto.js'
import { ExplainService } from './explain/explain.service.js'
import { RedeliveryService } from './redelivery.service.js'
import { DeliveriesService } from './reading/deliveries.service.js'
import { DeliveryDto, DeliveryWithAttemptsDto, ListDeliveriesQuery } from './reading/delivery.dto.js'
import { CreateReplay, ReplayDto } from './replay/replay.dto.js'
import { ReplaysService } from './replay/replays.service.js'
import { SkipService } from './skip.service.js'
import { StatsDto } from './stats/stats.dto.js'
import { StatsService } from './stats/stats.service.js'
import { CreateTestSend, TestSendDto } from './test-send/test-send.dto.js'
import { TestSendsService } from './test-send/test-sends.service.js'

@ApiTags('Deliveries')
@Controller('v1/webhooks/:id/deliveries')
export class DeliveriesController {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly redelivery: RedeliveryService,
    private readonly skips: SkipService,
  ) {}

  @Get()
  @RequireScope('webhooks:read')
  @InPortal('read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'listDeliveries',
    summary: "List a webhook's deliveries",
    description:
      'Lists deliveries, newest first. Filters are combined with AND. Test deliveries are included, with `test` set to true.',
  })
  @ApiId('wh', 'webhook')
  @ApiPage(DeliveryDto)
  list(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: ListDeliveriesQuery,
  ): Promise<Page<DeliveryDto>> {
    return this.deliveries.list(caller, id, query)
  }

  @Get(':delivery_id')
  @RequireScope('webhooks:read')
  @InPortal('read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'getDelivery',
    summary: 'Get a delivery',
    description: 'Returns a delivery with all its attempts, each with its response and timings.',
  })
  @ApiId('wh', 'webhook')
  @ApiId('dlv', 'delivery', 'delivery_id')
  @ApiOk(DeliveryWithAttemptsDto)
  get(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('delivery_id') deliveryId: string,
  ): Promise<DeliveryWithAttemptsDto> {
    return this.deliveries.get(caller, id, deliveryId)
  }

  @Post(':delivery_id/redeliver')
  @HttpCode(202)
  @RequireScope('webhooks:write')
  @InPortal('replay')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'redeliverDelivery',
    summary: 'Redeliver a delivery',
    description:
      'Redelivers a delivery, even one that succeeded, with the same `webhook-id` and `webhook-sequence`. Its retry schedule starts again. A pending delivery becomes due immediately. While the webhook is paused or disabled, the delivery is `held`. Returns 409 for tests and for deliveries older than `EVENT_RETENTION`.',
  })
  @ApiId('wh', 'webhook')
  @ApiId('dlv', 'delivery', 'delivery_id')
  @ApiAcceptedResponse({
    type: DeliveryDto,
    headers: headers('ETag'),
    description: 'The delivery will be sent.',
  })
  @ApiProblems('not_redeliverable')
  redeliver(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('delivery_id') deliveryId: string,
  ): Promise<DeliveryDto> {
    return this.redelivery.redeliver(caller, id, deliveryId)
  }

  @Post(':delivery_id/skip')
  @HttpCode(202)
  @RequireScope('webhooks:write')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'skipDelivery',
    summary: 'Skip a delivery',
    description:
      'Cancels a pending or held delivery. An ordered webhook then sends the next one. An attempt in flight is not interrupted, but its result is not recorded. Safe to repeat. Returns 409 if the delivery has succeeded, failed or been canceled for another reason.',
  })
  @ApiId('wh', 'webhook')
  @ApiId('dlv', 'delivery', 'delivery_id')
  @ApiAcceptedResponse({
    type: DeliveryDto,
    headers: headers('ETag'),
    description: 'The delivery is canceled.',
  })
  @ApiProblems('not_skippable')
  skip(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('delivery_id') deliveryId: string,
  ): Promise<DeliveryDto> {
    return this.skips.skip(caller, id, deliveryId)
  }
}

@ApiTags('Deliveries')
@Controller('v1/webhooks/:id/replay')
export class ReplaysController {
  constructor(private readonly replays: ReplaysService) {}

  @Post()
  @HttpCode(202)
  @RequireScope('webhooks:write')
  @InPortal('replay')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'replayDeliveries',
    summary: 'Replay deliveries or events',
    description:
      'Redelivers the failed, or all completed, deliveries of a time range, oldest first. New events have priority. With `"from": "events"`, the webhook receives the events that it never received, including those from before it was created, in new deliveries with new sequence numbers. Pending deliveries, tests, and events older than `EVENT_RETENTION` are skipped. While the webhook is paused or disabled, the deliveries are `held`.',
  })
  @ApiId('wh', 'webhook')
  @Repeatable()
  @ApiAcceptedResponse({ type: ReplayDto, description: 'The deliveries will be sent.' })
  @ApiProblems('quota_exceeded')
  create(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: CreateReplay,
  ): Promise<ReplayDto> {
    return this.replays.create(caller, id, body)
  }
}

@ApiTags('Deliveries')
@Controller('v1/webhooks/:id/stats')
export class StatsController {
  constructor(private readonly stats: StatsService) {}

  @Get()
  @RequireScope('webhooks:read')
  @InPortal('read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'getWebhookStats',
    summary: "Get a webhook's delivery statistics",
    description:
      'Returns the number of deliveries by status. `emitted` is always the sum of `succeeded`, `pending`, `held`, `failed` and `canceled`. A redelivery counts as `pending` again.',
  })
  @ApiId('wh', 'webhook')
  @ApiOkResponse({ type: StatsDto, description: 'Success.' })
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<StatsDto> {
    return this.stats.getStats(caller, id)
  }
}

@ApiTags('Deliveries')
@Controller('v1/webhooks/:id/test')
export class TestSendsController {
  constructor(private readonly sends: TestSendsService) {}

  @Post()
  @HttpCode(200)
  @RequireScope('webhooks:write')
  @InPortal('test')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'sendTestEvent',
    summary: 'Send a test event',
    description:
      'Sends one signed request immediately, even when the webhook is paused or disabled, and returns the result. A test is not retried, does not count in the statistics, and is sent to this webhook only. A `webhook.test` event is listed by `/v1/events`; examples of other types are not, so that they cannot be mistaken for real events.',
  })
  @ApiId('wh', 'webhook')
  @ApiProblems('secret_unreadable', 'headers_unreadable')
  @ApiOkResponse({
    type: TestSendDto,
    description: 'The test was sent. `delivered` and `verdict` contain the result.',
  })
  send(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: CreateTestSend,
  ): Promise<TestSendDto> {
    return this.sends.sendTest(caller, id, body)
  }
}

@ApiTags('Deliveries')
@Controller('v1')
export class ExplainController {
  constructor(private readonly explanations: ExplainService) {}

  @Get('events/:id/explain')
  @RequireScope('events:read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'explainEvent',
    summary: 'Explain the deliveries of an event',
    description:
      'Explains why webhooks did or did not receive an event, with a reason code, a sentence and a next step. With `webhook_id`, returns one explanation, otherwise a page with one per webhook, newest webhook first. `reason` and `sentence` are set when the workspace has no webhooks.',
  })
  @ApiId('evt', 'event')
  @ApiExtraModels(ExplanationDto, SubjectExplanationDto)
  @ApiOkResponse({
    description: 'Success.',
    headers: headers('Link'),
    schema: {
      oneOf: [{ $ref: getSchemaPath(ExplanationDto) }, { $ref: getSchemaPath(SubjectExplanationDto) }],
    },
  })
  event(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: ExplainQuery,
  ): Promise<ExplanationDto | SubjectExplanationDto> {
    return this.explanations.explainEvent(caller, id, query)
  }

  @Get('clicks/:id/explain')
  @RequireScope('events:read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'explainClick',
    summary: 'Explain the deliveries of a click',
    description:
      'Explains the deliveries of a click, for one webhook or for all. If the click has no event, `reason` and `sentence` explain why.',
  })
  @ApiId('clk', 'click')
  @ApiOkResponse({ type: SubjectExplanationDto, headers: headers('Link'), description: 'Success.' })
  click(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: ExplainQuery,
  ): Promise<SubjectExplanationDto> {
    return this.explanations.explainClick(caller, id, query)
  }

  @Get('links/:id/explain')
  @RequireScope('events:read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'explainLink',
    summary: 'Explain the deliveries of a link',
    description:
      'Explains the deliveries of the latest event of a link, optionally of one `type`, for one webhook or for all. Deleted links are included. If there is no event, `reason` and `sentence` explain why.',
  })
  @ApiId('lnk', 'link')
  @ApiOkResponse({ type: SubjectExplanationDto, headers: headers('Link'), description: 'Success.' })
  link(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: ExplainLinkQuery,
  ): Promise<SubjectExplanationDto> {
    return this.explanations.explainLink(caller, id, query)
  }
}
