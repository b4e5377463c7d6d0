import { ApiProperty, ApiSchema } from '@nestjs/swagger'

import { encodeId } from '../platform/database/ids.js'
import { enumSchema, openEnumSchema } from '../platform/http/openapi/api-docs.js'
import { type ErrorClass, errorClasses } from '../platform/outbound/outcome.js'
import { circuits } from './webhook-lanes.js'
import type { LastError } from './webhook-lanes.js'

export const errorClassEnum = openEnumSchema('AttemptErrorClass', 'Type of delivery failure.', errorClasses)

export const circuitEnum = {
  ...enumSchema('Circuit', 'State of the circuit breaker.', circuits),
  description:
    'State of the circuit breaker. `closed`: deliveries are sent when due. `open`: only retries are sent, because several attempts in a row have failed, or nothing is sent, because the receiver requested a pause with `Retry-After`. `half_open`: one new delivery is sent, and its result closes or reopens the circuit.',
  example: 'closed',
}

export const successRateOptions = {
  type: Number,
  minimum: 0,
  maximum: 1,
  nullable: true,
  description:
    'Share of successful attempts in the last 24 hours, from 0 to 1, based on whole hours. Null if there were no attempts.',
  example: 0.9917,
}

export const nextAttemptOptions = {
  type: String,
  nullable: true,
  format: 'date-time',
  description: 'Earliest time of the next attempt. Null if no delivery is pending.',
  example: '2026-01-31T12:00:05.320Z',
}

@ApiSchema({ name: 'WebhookError', description: 'Last failed attempt of a webhook.' })
export class LastErrorDto {
  @ApiProperty({ ...errorClassEnum, description: 'Machine-readable error class.', example: 'http_status' })
  class!: ErrorClass

  @ApiProperty({ description: 'Human-readable error message.', example: 'The receiver responded with 503.' })
  message!: string

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'HTTP status code of the response. Null if there was no response.',
    example: 503,
  })
  status_code!: number | null

  @ApiProperty({
    format: 'date-time',
    description: 'Time the attempt ended.',
    example: '2026-01-31T11:00:00.170Z',
  })
  at!: string

  @ApiProperty({ description: 'ID of the delivery.', example: 'dlv_01kaj4d0qaf2bv7m3x9c6t1hwk' })
  delivery_id!: string

  static from({ class: errorClass, message, statusCode, at, deliveryId }: LastError): LastErrorDto {
    return {
      class: errorClass,
      message,
      status_code: statusCode,
      at,
      delivery_id: encodeId('dlv', deliveryId),
    }
  }
}
