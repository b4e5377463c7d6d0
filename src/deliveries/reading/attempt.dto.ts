import { ApiProperty, ApiSchema } from '@nestjs/swagger'

import { encodeId } from '../../platform/database/ids.js'
import type { Attempt } from '../attempt.entity.js'
import { openEnumSchema } from '../../platform/http/openapi/api-docs.js'
import type { Delivery } from '../delivery.entity.js'
import { type ErrorClass, type FailedPhase, failedPhases } from '../../platform/outbound/outcome.js'
import { errorClassEnum } from '../../webhooks/webhook-health.dto.js'
import { restoreSentHeaders } from '../../webhooks/signing.js'

export const exampleAttempt = {
  id: 'att_01kaj4d0qbf9krv2m8x6c3t7hw',
  number: 1,
  started_at: '2026-01-31T11:00:00.120Z',
  duration_ms: 50,
  status_code: 503,
  error: { class: 'http_status', message: 'The receiver responded with 503.', phase: null },
  remote_address: '203.0.113.80',
  request_headers: {
    'content-type': 'application/json',
    'user-agent': 'link-service/0.1.0',
    'webhook-id': 'evt_01kaj4d0qae6svf0k9w3m7x2ht',
    'webhook-timestamp': '1769857200',
    'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    'webhook-attempt': '1',
    'webhook-sequence': '214',
  },
  response_headers: { 'content-type': 'text/plain', 'retry-after': '120' },
  response_body: 'Back in two minutes.',
  response_truncated: false,
  timings: { dns_ms: 3.1, connect_ms: 11.8, tls_ms: 14.2, first_byte_ms: 20.4, total_ms: 50.3 },
}

@ApiSchema({ name: 'AttemptError', description: 'Why an attempt failed.' })
export class AttemptErrorDto {
  @ApiProperty({
    ...errorClassEnum,
    description: 'Machine-readable error class.',
    example: 'http_status',
  })
  class!: ErrorClass

  @ApiProperty({ description: 'Human-readable error message.', example: 'The receiver responded with 503.' })
  message!: string

  @ApiProperty({
    ...openEnumSchema(
      'AttemptPhase',
      'Phase of an attempt: DNS lookup, TCP connection, TLS handshake, waiting for the first byte, or receiving the response.',
      failedPhases,
    ),
    nullable: true,
    description:
      'Phase in which the attempt failed. Null if the receiver sent a complete response, such as a 500, or if nothing was sent.',
    example: null,
  })
  phase!: FailedPhase | null
}

@ApiSchema({ name: 'AttemptTimings', description: 'Duration of each phase of an attempt in milliseconds.' })
export class TimingsDto {
  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'DNS lookup. Null if it was not needed.',
    example: 3.1,
  })
  dns_ms!: number | null

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'TCP connection. Null if an open connection was reused.',
    example: 11.8,
  })
  connect_ms!: number | null

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'TLS handshake. Null if there was none.',
    example: 14.2,
  })
  tls_ms!: number | null

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'From sending the request to the first byte of the response.',
    example: 20.4,
  })
  first_byte_ms!: number | null

  @ApiProperty({ type: Number, nullable: true, description: 'Total duration.', example: 50.3 })
  total_ms!: number | null
}

@ApiSchema({ name: 'Attempt', description: 'A request to a receiver and its result.' })
export class AttemptDto {
  @ApiProperty({ description: 'ID of the attempt.', example: exampleAttempt.id })
  id!: string

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'Number of the attempt, starting at 1. A redelivery continues the numbering.',
    example: exampleAttempt.number,
  })
  number!: number

  @ApiProperty({
    format: 'date-time',
    description: 'Time the attempt started.',
    example: exampleAttempt.started_at,
  })
  started_at!: string

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Duration in milliseconds.',
    example: exampleAttempt.duration_ms,
  })
  duration_ms!: number

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'HTTP status code of the response. Null if there was no response.',
    example: exampleAttempt.status_code,
  })
  status_code!: number | null

  @ApiProperty({
    type: AttemptErrorDto,
    nullable: true,
    description: 'Why the attempt failed. Null if it succeeded.',
    example: exampleAttempt.error,
  })
  error!: AttemptErrorDto | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'IP address the request was sent to.',
    example: exampleAttempt.remote_address,
  })
  remote_address!: string | null

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description:
      'Headers sent by this service, including the signature, which is valid only with the body. The values of custom headers are masked.',
    example: exampleAttempt.request_headers,
  })
  request_headers!: Record<string, string>

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    nullable: true,
    description:
      'Response headers. Null if there was no response. Values of custom headers that the receiver returns are masked, as they are in `response_body`.',
    example: exampleAttempt.response_headers,
  })
  response_headers!: Record<string, string> | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Response body, up to the first 16 KiB. Null if there was no response.',
    example: exampleAttempt.response_body,
  })
  response_body!: string | null

  @ApiProperty({
    description: 'Whether `response_body` is truncated.',
    example: exampleAttempt.response_truncated,
  })
  response_truncated!: boolean

  @ApiProperty({ type: TimingsDto, description: 'Duration of each phase in milliseconds.' })
  timings!: TimingsDto

  static fromAttempt(attempt: Attempt, delivery: Pick<Delivery, 'eventId' | 'sequence'>): AttemptDto {
    const [dns = null, connect = null, tls = null, firstByte = null, total = null] =
      attempt.timings.map(roundMs)
    return Object.assign(new AttemptDto(), {
      id: encodeId('att', attempt.id),
      number: attempt.number,
      started_at: attempt.startedAt.toISOString(),
      duration_ms: attempt.durationMs,
      status_code: attempt.statusCode,
      error: attempt.errorClass && {
        class: attempt.errorClass,
        message: attempt.errorMessage ?? '',
        phase: attempt.errorPhase,
      },
      remote_address: attempt.remoteAddress,
      request_headers: addRequestHeaders(attempt, delivery),
      response_headers: attempt.responseHeaders && (JSON.parse(attempt.responseHeaders) as object),
      response_body: attempt.responseBody,
      response_truncated: attempt.responseTruncated,
      timings: {
        dns_ms: dns,
        connect_ms: connect,
        tls_ms: tls,
        first_byte_ms: firstByte,
        total_ms: total,
      },
    })
  }
}

function addRequestHeaders(
  { requestHeaders, number }: Attempt,
  { eventId, sequence }: Pick<Delivery, 'eventId' | 'sequence'>,
): Record<string, string> {
  return restoreSentHeaders(requestHeaders, {
    id: encodeId('evt', eventId),
    attempt: number,
    sequence: sequence === null ? null : Number(sequence),
  })
}

/** NaN marks a phase that did not happen. */
function roundMs(ms: number): number | null {
  return Number.isFinite(ms) ? Math.round(ms * 100) / 100 : null
}
