import { Controller, Get, Param } from '@nestjs/common'
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger'

import { RequireScope } from '../../auth/access.js'
import { CurrentCaller } from '../../auth/caller.js'
import type { Caller } from '../../auth/caller.js'
import { ApiId, pageOf } from '../../platform/http/api-docs.js'
import { QueryInput } from '../../platform/http/input.pipe.js'
import { headers } from '../../platform/http/openapi-headers.js'
import type { Page } from '../../platform/http/page.js'
import { ExplainLinkQuery, ExplainQuery, ExplanationDto, SubjectExplanationDto } from './explain.dto.js'
import { ExplainService } from './explain.service.js'

const ExplanationPage = pageOf(ExplanationDto)

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
      'A reason for programs; a sentence and what can be done for people. Of a `held` event it says why it is held, of a `waiting` one when it is tried next, of a `failed` one how it failed. With `webhook_id` one explanation; without it a page with one for each webhook, the newest webhook first.',
  })
  @ApiId('evt', 'event')
  @ApiExtraModels(ExplanationDto, ExplanationPage)
  @ApiOkResponse({
    description: 'Explained.',
    headers: headers('Link'),
    schema: { oneOf: [{ $ref: getSchemaPath(ExplanationDto) }, { $ref: getSchemaPath(ExplanationPage) }] },
  })
  event(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @QueryInput() query: ExplainQuery,
  ): Promise<ExplanationDto | Page<ExplanationDto>> {
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
