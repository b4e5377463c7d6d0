import { Controller, Get, Param } from '@nestjs/common'
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger'

import { RequireScope } from '../../auth/access.js'
import { CurrentCaller } from '../../auth/caller.js'
import type { Caller } from '../../auth/caller.js'
import { ApiId } from '../../platform/http/api-docs.js'
import { QueryInput } from '../../platform/http/input.pipe.js'
import { ExplainQuery, ExplanationDto } from './explain.dto.js'
import { ExplainService } from './explain.service.js'

@ApiTags('Deliveries')
@Controller('v1/events/:id/explain')
export class ExplainController {
  constructor(private readonly explanations: ExplainService) {}

  @Get()
  @RequireScope('events:read')
  @ApiOperation({
    operationId: 'explainEvent',
    summary: 'Ask why a webhook did or did not get an event',
    description:
      'A reason for programs; a sentence and what can be done for people. Of a `held` event it says why it is held, of a `waiting` one when it is tried next, of a `failed` one how it failed.',
  })
  @ApiId('event')
  @ApiOkResponse({ type: ExplanationDto, description: 'Explained.' })
  explain(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @QueryInput() query: ExplainQuery,
  ): Promise<ExplanationDto> {
    return this.explanations.explain(caller, id, query)
  }
}
