import { Controller, Get, Param, Query } from '@nestjs/common'
import { ApiOperation, ApiTags } from '@nestjs/swagger'

import { NarrowsToTags, RequireScope } from '../auth/access.js'
import { type Caller, CurrentCaller } from '../auth/caller.js'
import { ApiId, ApiOk, ApiPage } from '../platform/http/openapi/api-docs.js'
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
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'listEvents',
    summary: 'List events',
    description:
      'Lists events, newest first. Filters are combined with AND. With `after`, even an empty one, the list is a feed: oldest first, and `next_cursor` is always returned. Store it, and pass it as `after` to continue later without gaps or repetitions. A click creates an event only if a webhook subscribes to clicks and its filter includes the click; `GET /v1/clicks` lists all clicks. If few events match, a page may have fewer events than `limit`, or none, although `has_more` is true. Token events (`token.*`) are included only if the calling token also has the scope `tokens:read`.',
  })
  @ApiPage(EventDto)
  list(@CurrentCaller() caller: Caller, @Query() query: ListEventsQuery): Promise<Page<EventDto>> {
    return this.events.list(caller, query)
  }

  @Get('events/:id')
  @RequireScope('events:read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'getEvent',
    summary: 'Get an event',
    description:
      'Returns an event with a summary of its deliveries. A token event (`token.*`) also requires the scope `tokens:read`.',
  })
  @ApiId('evt', 'event')
  @ApiOk(EventWithDeliveriesDto)
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<EventWithDeliveriesDto> {
    return this.events.get(caller, id)
  }

  @Get('event-types')
  @RequireScope('events:read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'listEventTypes',
    summary: 'List event types',
    description:
      'Lists the event types that a webhook can subscribe to, each with its meaning, the JSON Schema of its `data` and an example.',
  })
  @ApiPage(EventTypeDto)
  listTypes(@Query() query: PageQuery): Promise<Page<EventTypeDto>> {
    return this.events.listTypes(query)
  }
}
