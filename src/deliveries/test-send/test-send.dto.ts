import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger'

import { catalogue, eventTypes } from '../../events/catalogue.js'
import type { EventType } from '../../events/catalogue.js'
import { Optional } from '../../platform/http/fields.js'
import { IsEventType } from '../event-type.rules.js'
import { AttemptDto } from '../reading/attempt.dto.js'

export class CreateTestSend {
  @ApiPropertyOptional({
    enum: eventTypes,
    default: 'webhook.test',
    description: 'The type whose example is sent; it need not be one that the webhook subscribes to.',
    example: 'webhook.test',
  })
  @Optional()
  @IsEventType()
  event?: EventType
}

export class SentEventDto {
  @ApiProperty({ example: 'evt_01kaj4d0qae6svf0k9w3m7x2ht' })
  id!: string

  @ApiProperty({ enum: eventTypes, example: 'webhook.test' })
  type!: EventType

  @ApiProperty({ format: 'date-time', example: '2026-01-31T11:00:00.000Z' })
  timestamp!: string

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: catalogue['webhook.test'].example,
  })
  data!: object
}

export class SentRequestDto {
  @ApiProperty({ enum: ['POST'], example: 'POST' })
  method!: 'POST'

  @ApiProperty({ example: 'https://receiver.example/hooks' })
  url!: string

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
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

export class TestSendDto {
  @ApiProperty({ description: 'Whether the receiver answered 2xx.', example: true })
  delivered!: boolean

  @ApiProperty({
    description: 'What happened, and what to do about it.',
    example: 'The receiver answered 204 in 35 ms.',
  })
  verdict!: string

  @ApiProperty({ type: SentEventDto })
  event!: SentEventDto

  @ApiProperty({ type: SentRequestDto })
  request!: SentRequestDto

  @ApiProperty({ type: AttemptDto })
  attempt!: AttemptDto
}
