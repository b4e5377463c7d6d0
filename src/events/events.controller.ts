import { Controller, Get, Param } from '@nestjs/common'
import { ApiOperation, ApiTags } from '@nestjs/swagger'

import { RequireScope } from '../auth/access.js'
import { type Caller, CurrentCaller } from '../auth/caller.js'
import { ApiId, ApiOk, ApiPage } from '../platform/http/openapi/api-docs.js'
import { QueryInput } from '../platform/http/input/input.pipe.js'
import { PageQuery } from '../platform/http/input/page.js'
import type { Page } from '../platform/http/input/page.js'
import { EventDto, EventTypeDto, EventWithDeliveriesDto, ListEventsQuery } from './event.dto.js'
import { EventsService } from './events.service.js'

@ApiTags('Events')
@Controller('v1')
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Get('events')
  @RequireScope('events:read')
  @ApiOperation({
    operationId: 'listEvents',
    summary: 'List events',
    description:
      'Newest first; all filters together. With `after`, also an empty one, the list is a feed: oldest first, with `next_cursor` always given. Keep it, and pass it as `after` to go on from there, now or next week: nothing is missed and nothing comes twice. Clicks are events only where a webhook subscribes to them; `GET /v1/clicks` has them all.',
  })
  @ApiPage(EventDto)
  list(@CurrentCaller() caller: Caller, @QueryInput() query: ListEventsQuery): Promise<Page<EventDto>> {
    return this.events.list(caller, query)
  }

  @Get('events/:id')
  @RequireScope('events:read')
  @ApiOperation({
    operationId: 'getEvent',
    summary: 'Read an event',
    description: 'With its deliveries in short: to which webhooks it goes, and how that stands.',
  })
  @ApiId('evt', 'event')
  @ApiOk(EventWithDeliveriesDto)
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<EventWithDeliveriesDto> {
    return this.events.get(caller, id)
  }

  @Get('event-types')
  @RequireScope('events:read')
  @ApiOperation({
    operationId: 'listEventTypes',
    summary: 'List the types of events',
    description:
      'What a webhook can subscribe to: each with its meaning, the JSON Schema of its `data` and an example.',
  })
  @ApiPage(EventTypeDto)
  listTypes(@QueryInput() query: PageQuery): Promise<Page<EventTypeDto>> {
    return this.events.listTypes(query)
  }
}
