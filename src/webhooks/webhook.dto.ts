import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import { encodeId } from '../platform/database/ids.js'
import type { EventData } from '../events/payloads.js'
import { enumOf } from '../platform/http/openapi/api-docs.js'
import type { BodyExamples } from '../platform/http/openapi/api-docs.js'
import { currentTime } from '../platform/util/clock.js'
import { IsText, Nullable, Optional } from '../platform/http/input/fields.js'
import {
  describes,
  IsAddress,
  IsChosenStatus,
  IsEventList,
  IsMaxInFlight,
  IsOverlap,
  IsSecret,
} from './webhook-fields.js'
import type { LaneFigures } from './webhook-lanes.js'
import type { Webhook, WebhookStatus } from './webhook.entity.js'

class WebhookFields {
  @ApiPropertyOptional(describes.description)
  @Nullable()
  @IsText(1, 500)
  description?: string | null

  @ApiPropertyOptional(describes.maxInFlight)
  @Optional()
  @IsMaxInFlight()
  max_in_flight?: number
}

@ApiSchema({ name: 'CreateWebhook', description: 'A webhook to make: where events are sent, and which.' })
export class CreateWebhook extends WebhookFields {
  static readonly examples: BodyExamples<CreateWebhook> = {
    least: { url: describes.url.example, events: describes.events.example },
    everything: {
      url: describes.url.example,
      events: ['*'],
      secret: describes.secret.example,
      description: describes.description.example,
      max_in_flight: 20,
    },
  }

  @ApiProperty(describes.url)
  @IsAddress()
  url!: string

  @ApiProperty(describes.events)
  @IsEventList()
  events!: string[]

  @ApiPropertyOptional(describes.secret)
  @Optional()
  @IsSecret()
  secret?: string
}

@ApiSchema({ name: 'UpdateWebhook', description: 'What to change of a webhook: absent stays, null clears.' })
export class UpdateWebhook extends WebhookFields {
  static readonly examples: BodyExamples<UpdateWebhook> = {
    least: { description: 'The new warehouse' },
    everything: {
      url: describes.url.example,
      events: ['link.created', 'link.updated', 'link.deleted'],
      secret: describes.secret.example,
      description: 'The new warehouse',
      max_in_flight: 5,
      status: 'active',
    },
  }

  @ApiPropertyOptional(describes.url)
  @Optional()
  @IsAddress()
  url?: string

  @ApiPropertyOptional(describes.events)
  @Optional()
  @IsEventList()
  events?: string[]

  @ApiPropertyOptional(describes.newSecret)
  @Optional()
  @IsSecret()
  secret?: string

  @ApiPropertyOptional({
    ...enumOf('ChosenWebhookStatus', 'What you can make of a webhook.', ['active', 'paused']),
    description: 'While it is paused, its events are held; `active` sends them, and ends a disablement too.',
    example: 'paused',
  })
  @Optional()
  @IsChosenStatus()
  status?: 'active' | 'paused'
}

@ApiSchema({
  name: 'RotateWebhookSecret',
  description: 'The new secret, and how the old one ends. The body may be left out.',
})
export class RotateSecret {
  static readonly examples: BodyExamples<RotateSecret> = {
    least: {},
    everything: { secret: describes.secret.example, overlap: '24h' },
  }

  @ApiPropertyOptional(describes.secret)
  @Optional()
  @IsSecret()
  secret?: string

  @ApiPropertyOptional({
    description:
      'How long the old secret signs beside the new one, from 1s to 30d; 0s ends it at once. Absent: 24h.',
    example: '24h',
  })
  @Optional()
  @IsOverlap()
  overlap?: string
}

@ApiSchema({ name: 'SecretRotation', description: 'A change of the secret that is not over yet.' })
export class SecretRotationDto {
  @ApiProperty({
    format: 'date-time',
    description: 'Until then the old secret signs beside the new one.',
    example: '2026-02-01T12:00:00.000Z',
  })
  old_ends_at!: string
}

@ApiSchema({ name: 'Webhook', description: 'An address of yours that events are sent to, and how it fares.' })
export class WebhookDto {
  static readonly versionedBy: readonly string[] = ['id', 'updated_at']

  @ApiProperty({ description: 'Its id.', example: 'wh_01kaj3w4q2e6r8t0y1v3b5n7mz' })
  id!: string

  @ApiProperty(describes.url)
  url!: string

  @ApiProperty(describes.events)
  events!: string[]

  @ApiProperty(describes.description)
  description!: string | null

  @ApiProperty({
    ...enumOf('WebhookStatus', 'Whether a webhook is sent events.', ['active', 'paused', 'disabled']),
    description:
      'Only an active webhook is sent anything; for the others events are held. The service disables a webhook that nothing reaches any more.',
    example: 'active',
  })
  status!: WebhookStatus

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why it was disabled; null when it is not.',
    example: null,
  })
  disabled_reason!: string | null

  @ApiProperty(describes.maxInFlight)
  max_in_flight!: number

  @ApiProperty({
    description: 'How the secret ends; of a secret with fewer than 12 characters nothing is shown.',
    example: '…LaSw',
  })
  secret_hint!: string

  @ApiProperty({
    type: SecretRotationDto,
    nullable: true,
    description: 'Null when no old secret signs any more.',
    example: null,
  })
  secret_rotation!: SecretRotationDto | null

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Deliveries that wait for it to be active again; 0 while it is active.',
    example: 0,
  })
  held!: number

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Deliveries that are still to be sent, or sent again; 0 while it is not active.',
    example: 3,
  })
  pending!: number

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'The last attempt that succeeded.',
    example: '2026-01-31T12:00:00.000Z',
  })
  last_success_at!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'The first failure after the last success.',
    example: null,
  })
  failing_since!: string | null

  @ApiProperty({ format: 'date-time', description: 'When it was made.', example: '2026-01-31T12:00:00.000Z' })
  created_at!: string

  @ApiProperty({
    format: 'date-time',
    description: 'When it was last changed.',
    example: '2026-01-31T12:00:00.000Z',
  })
  updated_at!: string

  static from(webhook: Webhook, lane: LaneFigures): WebhookDto {
    const { oldSecretEndsAt } = webhook
    return Object.assign(new WebhookDto(), {
      ...webhookData(webhook, lane),
      max_in_flight: webhook.maxInFlight,
      secret_hint: webhook.secretHint,
      secret_rotation:
        oldSecretEndsAt && oldSecretEndsAt > currentTime()
          ? { old_ends_at: oldSecretEndsAt.toISOString() }
          : null,
      held: lane.held,
      pending: lane.pending,
    })
  }
}

/** The fields of a webhook that both answers and events have. */
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

/** The answer that shows a generated secret. No other answer does. */
@ApiSchema({ name: 'CreatedWebhook', description: 'A webhook with the secret that was made for it.' })
export class NewSecretDto extends WebhookDto {
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The secret that was made. Keep it: it is shown in this answer only. Null for one of your own.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  })
  secret!: string | null

  /** Null for a secret that the caller has already. */
  static of(shown: WebhookDto, secret: string | null): NewSecretDto {
    return Object.assign(new NewSecretDto(), shown, { secret })
  }
}
