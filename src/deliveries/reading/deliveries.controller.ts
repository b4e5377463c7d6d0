import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common'
import { ApiAcceptedResponse, ApiOperation, ApiTags } from '@nestjs/swagger'

import { RequireScope } from '../../auth/access.js'
import { CurrentCaller } from '../../auth/caller.js'
import type { Caller } from '../../auth/caller.js'
import { Answers, ApiId, ApiOk, ApiPage } from '../../platform/http/api-docs.js'
import { QueryInput } from '../../platform/http/input.pipe.js'
import type { Page } from '../../platform/http/page.js'
import { DeliveriesService } from './deliveries.service.js'
import { DeliveryDto, DeliveryWithAttemptsDto } from './delivery.dto.js'
import { ListDeliveriesQuery } from './list-deliveries.dto.js'
import { RedeliveryService } from './redelivery.service.js'

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
  @ApiId('webhook')
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
  @ApiOperation({ operationId: 'getDelivery', summary: 'Read a delivery, with all its attempts' })
  @ApiId('webhook')
  @ApiId('delivery', 'delivery_id')
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
    operationId: 'redeliver',
    summary: 'Send a delivery again',
    description:
      'As often as you like, also what succeeded. It is sent soon, with the same `webhook-id` and `webhook-sequence`, and its schedule begins anew; one that is pending already is due now. While the webhook is paused or disabled the delivery is `held`, and is sent once the webhook is active again. A test, and what is older than events are kept, is not sent again: 409.',
  })
  @ApiId('webhook')
  @ApiId('delivery', 'delivery_id')
  @ApiAcceptedResponse({ type: DeliveryDto, description: 'It will be sent.' })
  @Answers('not_redeliverable')
  redeliver(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('delivery_id') deliveryId: string,
  ): Promise<DeliveryDto> {
    return this.redelivery.redeliver(caller, id, deliveryId)
  }
}
