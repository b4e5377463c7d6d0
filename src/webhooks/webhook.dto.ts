import { ApiProperty, ApiSchema } from '@nestjs/swagger'

import { encodeId } from '../platform/database/ids.js'
import type { EventData } from '../events/payloads.js'
import { count, enumSchema } from '../platform/http/openapi/api-docs.js'
import { currentTime } from '../platform/util/clock.js'
import { headerMask, maskHeaders } from './custom-headers.js'
import type { WebhookFormat } from './formats/webhook-formats.js'
import { batchDocs, WebhookBatchDto } from './webhook-batch.dto.js'
import { fieldDocs } from './webhook-fields.js'
import { filterDocs, WebhookFilterDto } from './webhook-filter.dto.js'
import { LastErrorDto, circuitEnum, nextAttemptOptions, successRateOptions } from './webhook-health.dto.js'
import type { Circuit, LaneFigures } from './webhook-lanes.js'
import type { Webhook, WebhookStatus } from './webhook.entity.js'

@ApiSchema({ name: 'SecretRotation', description: 'Secret rotation in progress.' })
export class SecretRotationDto {
  @ApiProperty({
    format: 'date-time',
    description: 'Time until which requests are also signed with the old secret.',
    example: '2026-02-01T12:00:00.000Z',
  })
  old_ends_at!: string
}

@ApiSchema({
  name: 'Webhook',
  description: 'Your endpoint that receives events, and its delivery health.',
})
export class WebhookDto {
  static readonly versionedBy: readonly string[] = ['id', 'updated_at']

  @ApiProperty({ description: 'ID of the webhook.', example: 'wh_01kaj3w4q2e6r8t0y1v3b5n7mz' })
  id!: string

  @ApiProperty(fieldDocs.url)
  url!: string

  @ApiProperty(fieldDocs.events)
  events!: string[]

  @ApiProperty({ ...filterDocs, type: WebhookFilterDto })
  filter!: WebhookFilterDto | null

  @ApiProperty(fieldDocs.description)
  description!: string | null

  @ApiProperty({
    ...enumSchema('WebhookStatus', 'Status of a webhook.', ['active', 'paused', 'disabled']),
    description:
      '`active` webhooks receive events. Events for `paused` and `disabled` webhooks are held. The service disables a webhook whose attempts keep failing, or whose receiver responds with 410.',
    example: 'active',
  })
  status!: WebhookStatus

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why the service disabled the webhook. Null if it is not disabled.',
    example: null,
  })
  disabled_reason!: string | null

  @ApiProperty(fieldDocs.maxInFlight)
  max_in_flight!: number

  @ApiProperty(fieldDocs.ordered)
  ordered!: boolean

  @ApiProperty({ ...batchDocs, type: WebhookBatchDto })
  batch!: WebhookBatchDto | null

  @ApiProperty({
    description: 'Last characters of the secret. Secrets of fewer than 12 characters are not shown.',
    example: '…LaSw',
  })
  secret_hint!: string

  @ApiProperty({
    type: SecretRotationDto,
    nullable: true,
    description: 'Secret rotation in progress. Null if there is none.',
    example: null,
  })
  secret_rotation!: SecretRotationDto | null

  @ApiProperty(fieldDocs.format)
  format!: WebhookFormat

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Custom headers of requests to the webhook. Values are never shown.',
    example: { authorization: headerMask },
  })
  headers!: Record<string, string>

  @ApiProperty({
    ...count,
    description: 'Number of deliveries held until the webhook is active. 0 while it is active.',
    example: 0,
  })
  held!: number

  @ApiProperty({
    ...count,
    description: 'Number of deliveries waiting to be sent or retried. 0 while the webhook is not active.',
    example: 3,
  })
  pending!: number

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'Time of the last successful attempt.',
    example: '2026-01-31T12:00:00.000Z',
  })
  last_success_at!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'Time of the first failure after the last success. Null if there is none.',
    example: null,
  })
  failing_since!: string | null

  @ApiProperty({
    type: LastErrorDto,
    nullable: true,
    description:
      'Last failed attempt, kept after later successes. Null if no attempt has failed since the URL was changed or the webhook was resumed.',
    example: null,
  })
  last_error!: LastErrorDto | null

  @ApiProperty(successRateOptions)
  success_rate_24h!: number | null

  @ApiProperty(nextAttemptOptions)
  next_attempt_at!: string | null

  @ApiProperty(circuitEnum)
  circuit!: Circuit

  @ApiProperty({
    format: 'date-time',
    description: 'Time the webhook was created.',
    example: '2026-01-31T12:00:00.000Z',
  })
  created_at!: string

  @ApiProperty({
    format: 'date-time',
    description: 'Time of the last change.',
    example: '2026-01-31T12:00:00.000Z',
  })
  updated_at!: string

  static from(webhook: Webhook, lane: LaneFigures): WebhookDto {
    const { oldSecretEndsAt } = webhook
    return Object.assign(new WebhookDto(), {
      ...webhookData(webhook, lane),
      filter: webhook.filter && WebhookFilterDto.from(webhook.filter),
      max_in_flight: webhook.maxInFlight,
      ordered: webhook.ordered,
      batch: webhook.batch && WebhookBatchDto.from(webhook.batch),
      secret_hint: webhook.secretHint,
      secret_rotation:
        oldSecretEndsAt && oldSecretEndsAt > currentTime()
          ? { old_ends_at: oldSecretEndsAt.toISOString() }
          : null,
      format: webhook.format,
      headers: maskHeaders(webhook.headerNames ?? []),
      held: lane.held,
      pending: lane.pending,
      last_error: lane.lastError && LastErrorDto.from(lane.lastError),
      success_rate_24h: lane.successRate24h,
      next_attempt_at: lane.nextAttemptAt?.toISOString() ?? null,
      circuit: lane.circuit,
    })
  }
}

/** Returns the fields of a webhook that responses and events share. */
export function webhookData(
  webhook: Webhook,
  { lastSuccessAt, failingSince }: Pick<LaneFigures, 'lastSuccessAt' | 'failingSince'>,
): EventData['webhook.failing']['webhook'] {
  return {
    id: encodeId('wh', webhook.id),
    url: webhook.url,
    events: webhook.events,
    description: webhook.description,
    status: webhook.status,
    disabled_reason: webhook.disabledReason,
    last_success_at: lastSuccessAt?.toISOString() ?? null,
    failing_since: failingSince?.toISOString() ?? null,
    created_at: webhook.createdAt.toISOString(),
    updated_at: webhook.updatedAt.toISOString(),
  }
}

/** The only response that shows a generated secret. */
@ApiSchema({ name: 'CreatedWebhook', description: 'A webhook with its generated secret.' })
export class NewSecretDto extends WebhookDto {
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Generated secret. Store it: it is shown only in this response. Null if you supplied the secret.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  })
  secret!: string | null

  /** Null for a secret that the caller supplied. */
  static withSecret(shown: WebhookDto, secret: string | null): NewSecretDto {
    return Object.assign(new NewSecretDto(), shown, { secret })
  }
}
