import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import type { EventType } from '../../events/catalogue.js'
import { EventDto, eventTypeEnum, IsEventType } from '../../events/event.dto.js'
import type { BodyExamples } from '../../platform/http/openapi/api-docs.js'
import { Optional } from '../../platform/http/input/fields.js'
import { AttemptDto } from '../reading/attempt.dto.js'

@ApiSchema({ name: 'CreateTestSend', description: 'What to send. The body may be left out.' })
export class CreateTestSend {
  static readonly examples: BodyExamples<CreateTestSend> = {
    least: {},
    everything: { event: 'link.created' },
  }

  @ApiPropertyOptional({
    ...eventTypeEnum,
    description:
      'The type whose example is sent; it need not be one that the webhook subscribes to. Absent: `webhook.test`.',
    example: 'webhook.test',
  })
  @Optional()
  @IsEventType()
  event?: EventType
}

@ApiSchema({ name: 'SentRequest', description: 'A request as the receiver got it.' })
export class SentRequestDto {
  @ApiProperty({ enum: ['POST'], description: 'The method.', example: 'POST' })
  method!: 'POST'

  @ApiProperty({ description: 'The address.', example: 'https://receiver.example/hooks' })
  url!: string

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'All headers, the signature among them.',
    example: { 'content-type': 'application/json', 'webhook-id': 'evt_01kaj4d0qae6svf0k9w3m7x2ht' },
  })
  headers!: Record<string, string>

  @ApiProperty({ description: 'The very bytes that were signed and sent.', example: '{"id":"evt_01kaj4d0q…' })
  body!: string

  @ApiProperty({
    description:
      'For a shell: sends the same bytes and headers again. Its signature is that of the test, so a receiver that checks the time refuses it after some minutes.',
    example: "curl --globoff -X POST 'https://receiver.example/hooks' -H 'content-type: application/json' …",
  })
  curl!: string
}

@ApiSchema({ name: 'TestSend', description: 'How a test went, with everything that was sent and answered.' })
export class TestSendDto {
  @ApiProperty({ description: 'Whether the receiver answered 2xx.', example: true })
  delivered!: boolean

  @ApiProperty({
    description: 'What happened, and what to do about it.',
    example: 'The receiver answered 204 in 35 ms.',
  })
  verdict!: string

  @ApiProperty({ type: EventDto, description: 'The event that was sent.' })
  event!: EventDto

  @ApiProperty({ type: SentRequestDto, description: 'What was sent.' })
  request!: SentRequestDto

  @ApiProperty({ type: AttemptDto, description: 'What came of it.' })
  attempt!: AttemptDto
}
