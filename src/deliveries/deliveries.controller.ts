/** The calls about deliveries. */
import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common'
import {
  ApiAcceptedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger'

import { RequireScope } from '../auth/access.js'
import { type Caller, CurrentCaller } from '../auth/caller.js'
import { Answers, ApiId, ApiOk, ApiPage } from '../platform/http/openapi/api-docs.js'
import { JsonBody } from '../platform/http/input/body.js'
import { Repeatable } from '../platform/http/idempotency.interceptor.js'
import { QueryInput } from '../platform/http/input/input.pipe.js'
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
  ) {}

  @Get()
  @RequireScope('webhooks:read')
  @ApiOperation({
    operationId: 'listDeliveries',
    summary: "List a webhook's deliveries",
    description: 'Newest first; all filters together. Tests are among them, marked as such.',
  })
  @ApiId('wh', 'webhook')
  @ApiPage(DeliveryDto)
  list(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @QueryInput() query: ListDeliveriesQuery,
  ): Promise<Page<DeliveryDto>> {
    return this.deliveries.list(caller, id, query)
  }

  @Get(':delivery_id')
  @RequireScope('webhooks:read')
  @ApiOperation({
    operationId: 'getDelivery',
    summary: 'Read a delivery',
    description: 'With all its attempts: what was answered, and how long it took.',
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
  @ApiOperation({
    operationId: 'redeliverDelivery',
    summary: 'Send a delivery again',
    description:
      'As often as you like, also what succeeded. It is sent soon, with the same `webhook-id` and `webhook-sequence`, and its schedule begins anew; one that is pending already is due now. While the webhook is paused or disabled the delivery is `held`, and is sent once the webhook is active again. A test, and what is older than events are kept, is not sent again: 409.',
  })
  @ApiId('wh', 'webhook')
  @ApiId('dlv', 'delivery', 'delivery_id')
  @ApiAcceptedResponse({ type: DeliveryDto, headers: headers('ETag'), description: 'It will be sent.' })
  @Answers('not_redeliverable')
  redeliver(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('delivery_id') deliveryId: string,
  ): Promise<DeliveryDto> {
    return this.redelivery.redeliver(caller, id, deliveryId)
  }
}

@ApiTags('Deliveries')
@Controller('v1/webhooks/:id/replay')
export class ReplaysController {
  constructor(private readonly replays: ReplaysService) {}

  @Post()
  @HttpCode(202)
  @RequireScope('webhooks:write')
  @ApiOperation({
    operationId: 'replayDeliveries',
    summary: 'Send many deliveries again, or events that the webhook never had',
    description:
      'All deliveries of a time that failed, or all that are completed, become `pending` again within moments, the oldest first, and are sent after whatever is new. With `"from": "events"` the webhook is sent what it never had, also from before it was made, the oldest first, in deliveries of their own that go on with `webhook-sequence`. What is pending already, tests, and what is older than events are kept is left alone. While the webhook is paused or disabled they are `held`.',
  })
  @ApiId('wh', 'webhook')
  @Repeatable()
  @ApiAcceptedResponse({ type: ReplayDto, description: 'They will be sent.' })
  @Answers('quota_exceeded')
  create(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @JsonBody() body: CreateReplay,
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
  @ApiOperation({
    operationId: 'getWebhookStats',
    summary: "Read a webhook's ledger",
    description:
      'What became of every event for this webhook: `emitted` is always the sum of `succeeded`, `pending`, `held`, `failed` and `canceled`. What is sent again moves back to `pending`.',
  })
  @ApiId('wh', 'webhook')
  @ApiOkResponse({ type: StatsDto, description: 'Counted.' })
  of(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<StatsDto> {
    return this.stats.of(caller, id)
  }
}

@ApiTags('Deliveries')
@Controller('v1/webhooks/:id/test')
export class TestSendsController {
  constructor(private readonly sends: TestSendsService) {}

  @Post()
  @HttpCode(200)
  @RequireScope('webhooks:write')
  @ApiOperation({
    operationId: 'sendTestEvent',
    summary: 'Send a test to a webhook',
    description:
      'One signed request, now, also to a webhook that is paused or disabled; the answer says all about it. A test counts nowhere, is not repeated, and goes to this webhook only. A `webhook.test` is an event that `/v1/events` has too; the example of another type is not, so that nobody takes it for a real one.',
  })
  @ApiId('wh', 'webhook')
  @Answers('secret_unreadable')
  @ApiOkResponse({
    type: TestSendDto,
    description: 'It was sent; `delivered` and `verdict` say how that went.',
  })
  send(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @JsonBody() body: CreateTestSend,
  ): Promise<TestSendDto> {
    return this.sends.send(caller, id, body)
  }
}

@ApiTags('Deliveries')
@Controller('v1')
export class ExplainController {
  constructor(private readonly explanations: ExplainService) {}

  @Get('events/:id/explain')
  @RequireScope('events:read')
  @ApiOperation({
    operationId: 'explainEvent',
    summary: 'Ask why webhooks did or did not get an event',
    description:
      'A reason for programs; a sentence and what can be done for people. Of a `held` event it says why it is held, of a `waiting` one when it is tried next, of a `failed` one how it failed. With `webhook_id` one explanation; without it a page with one for each webhook, the newest webhook first; where the workspace has no webhook, `reason` and `sentence` say so.',
  })
  @ApiId('evt', 'event')
  @ApiExtraModels(ExplanationDto, SubjectExplanationDto)
  @ApiOkResponse({
    description: 'Explained.',
    headers: headers('Link'),
    schema: {
      oneOf: [{ $ref: getSchemaPath(ExplanationDto) }, { $ref: getSchemaPath(SubjectExplanationDto) }],
    },
  })
  event(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @QueryInput() query: ExplainQuery,
  ): Promise<ExplanationDto | SubjectExplanationDto> {
    return this.explanations.event(caller, id, query)
  }

  @Get('clicks/:id/explain')
  @RequireScope('events:read')
  @ApiOperation({
    operationId: 'explainClick',
    summary: 'Ask why webhooks did or did not get a click',
    description:
      'Explains the event that the click became, for one webhook or for all of them. Where it became none, `reason` and `sentence` say why.',
  })
  @ApiId('clk', 'click')
  @ApiOkResponse({ type: SubjectExplanationDto, headers: headers('Link'), description: 'Explained.' })
  click(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @QueryInput() query: ExplainQuery,
  ): Promise<SubjectExplanationDto> {
    return this.explanations.click(caller, id, query)
  }

  @Get('links/:id/explain')
  @RequireScope('events:read')
  @ApiOperation({
    operationId: 'explainLink',
    summary: 'Ask why webhooks did or did not hear of a link',
    description:
      'Explains the latest event of the link, or the latest of a type, for one webhook or for all of them; also of a link that was deleted. Where there is none, `reason` and `sentence` say why.',
  })
  @ApiId('lnk', 'link')
  @ApiOkResponse({ type: SubjectExplanationDto, headers: headers('Link'), description: 'Explained.' })
  link(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @QueryInput() query: ExplainLinkQuery,
  ): Promise<SubjectExplanationDto> {
    return this.explanations.link(caller, id, query)
  }
}
