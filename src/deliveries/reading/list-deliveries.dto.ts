import { ApiPropertyOptional } from '@nestjs/swagger'

import { eventTypes } from '../../events/catalogue.js'
import type { EventType } from '../../events/catalogue.js'
import { Optional, Rule } from '../../platform/http/fields.js'
import { CreatedQuery } from '../../platform/http/page.js'
import { IsEventType } from '../event-names.js'
import { shownStatuses } from '../shown-status.js'
import type { ShownStatus } from '../shown-status.js'

export class ListDeliveriesQuery extends CreatedQuery {
  @ApiPropertyOptional({ enum: shownStatuses, description: 'Only those that stand so.', example: 'failed' })
  @Optional()
  @Rule('invalid_status', `Write one of ${shownStatuses.join(', ')}.`, (value) =>
    shownStatuses.some((status) => status === value),
  )
  status?: ShownStatus

  @ApiPropertyOptional({ enum: eventTypes, description: 'Only events of this type.', example: 'click' })
  @Optional()
  @IsEventType()
  event?: EventType
}
