import { ApiPropertyOptional } from '@nestjs/swagger'

import { eventTypes } from '../../events/catalogue.js'
import type { EventType } from '../../events/catalogue.js'
import { Optional, Rule } from '../../platform/http/fields.js'
import { CreatedQuery } from '../../platform/http/page.js'
import { IsEventType } from '../event-names.js'
import { deliveryStatuses } from '../delivery-status.js'
import type { DeliveryStatus } from '../delivery-status.js'

export class ListDeliveriesQuery extends CreatedQuery {
  @ApiPropertyOptional({
    enum: deliveryStatuses,
    description: 'Only those that stand so.',
    example: 'failed',
  })
  @Optional()
  @Rule('invalid_status', `Write one of ${deliveryStatuses.join(', ')}.`, (value) =>
    deliveryStatuses.some((status) => status === value),
  )
  status?: DeliveryStatus

  @ApiPropertyOptional({ enum: eventTypes, description: 'Only events of this type.', example: 'click' })
  @Optional()
  @IsEventType()
  event?: EventType
}
