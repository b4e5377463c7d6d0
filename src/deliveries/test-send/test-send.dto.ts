import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import type { EventType } from '../../events/catalog.js'
import { EventDto, eventTypeEnum, IsEventType } from '../../events/event.dto.js'
import type { BodyExamples } from '../../platform/http/openapi/api-docs.js'
import { Optional } from '../../platform/http/input/fields.js'
import { AttemptDto } from '../reading/attempt.dto.js'

@ApiSchema({ name: 'CreateTestSend', description: 'Options for a test. The request body is optional.' })
export class CreateTestSend {
  static readonly examples: BodyExamples<CreateTestSend> = {
    minimal: {},
    full: { event: 'link.created' },
  }

  @ApiPropertyOptional({
    ...eventTypeEnum,
    description:
      'Type of the event to send, with example data. The webhook does not have to subscribe to this type. Default: `webhook.test`.',
    example: 'webhook.test',
  })
  @Optional()
  @IsEventType()
  event?: EventType
}

@ApiSchema({ name: 'SentRequest', description: 'The request as sent to the receiver.' })
export class SentRequestDto {
  @ApiProperty({ enum: ['POST'], description: 'HTTP method.', example: 'POST' })
  method!: 'POST'

  @ApiProperty({ description: 'URL of the request.', example: 'https://receiver.example/hooks' })
  url!: string

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'All request headers, including the signature. The values of custom headers are masked.',
    example: { 'content-type': 'application/json', 'webhook-id': 'evt_01kaj4d0qae6svf0k9w3m7x2ht' },
  })
  headers!: Record<string, string>

  @ApiProperty({
    description: 'Request body, exactly as signed and sent, in the `format` of the webhook.',
    example: '{"id":"evt_01kaj4d0q…',
  })
  body!: string

  @ApiProperty({
    description:
      'Shell command that resends the same headers and body. The signature is that of the test, so a receiver that checks the timestamp rejects it after a few minutes. Custom headers are masked: insert their values.',
    example: "curl --globoff -X POST 'https://receiver.example/hooks' -H 'content-type: application/json' …",
  })
  curl!: string
}

@ApiSchema({ name: 'TestSend', description: 'Result of a test, with the request and the response.' })
export class TestSendDto {
  @ApiProperty({ description: 'Whether the receiver responded with 2xx.', example: true })
  delivered!: boolean

  @ApiProperty({
    description: 'What happened, and how to fix it.',
    example: 'The receiver responded with 204 in 35 ms.',
  })
  verdict!: string

  @ApiProperty({ type: EventDto, description: 'Event that was sent.' })
  event!: EventDto

  @ApiProperty({ type: SentRequestDto, description: 'Request that was sent.' })
  request!: SentRequestDto

  @ApiProperty({ type: AttemptDto, description: 'Attempt with the response.' })
  attempt!: AttemptDto
}
