import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import { enumSchema } from '../platform/http/openapi/api-docs.js'
import type { BodyExamples } from '../platform/http/openapi/api-docs.js'
import { IsFlag, IsIntegerBetween, IsText, Nullable, Optional } from '../platform/http/input/fields.js'
import type { InputError } from '../platform/http/problems/problem.js'
import { batchDocs, batchErrors, IsBatch, WebhookBatchInput, WebhookBatchPatch } from './webhook-batch.dto.js'
import {
  fieldDocs,
  inFlightLimit,
  IsChosenStatus,
  IsEventList,
  IsHeaders,
  IsOverlap,
  IsSecret,
  IsWebhookFormat,
  IsWebhookUrl,
} from './webhook-fields.js'
import { findHeaderErrors } from './custom-headers.js'
import type { HeadersPatch } from './custom-headers.js'
import { filterDocs, filterErrors, IsFilter, WebhookFilterInput } from './webhook-filter.dto.js'
import type { WebhookFormat } from './formats/webhook-formats.js'
import { findWebhookUrlFault } from './webhook-url.js'
import type { UrlRules } from './webhook-url.js'

type CheckedField = 'url' | 'filter' | 'batch' | 'headers'

/** The fields that requests to create and to update a webhook share. */
class OptionalWebhookFields {
  static inputErrors(
    { url, filter, headers }: Partial<Record<CheckedField, unknown>>,
    settings: UrlRules,
  ): InputError[] {
    const fault = typeof url === 'string' ? findWebhookUrlFault(url, settings) : null
    return [
      ...(fault ? [{ pointer: '/url', ...fault }] : []),
      ...filterErrors(filter),
      ...findHeaderErrors(headers),
    ]
  }

  @ApiPropertyOptional({ ...filterDocs, type: WebhookFilterInput })
  @Nullable()
  @IsFilter()
  filter?: WebhookFilterInput | null

  @ApiPropertyOptional(fieldDocs.description)
  @Nullable()
  @IsText(1, 500)
  description?: string | null

  @ApiPropertyOptional(fieldDocs.maxInFlight)
  @Optional()
  @IsIntegerBetween(1, inFlightLimit)
  max_in_flight?: number

  @ApiPropertyOptional(fieldDocs.ordered)
  @Optional()
  @IsFlag()
  ordered?: boolean

  @ApiPropertyOptional(fieldDocs.format)
  @Optional()
  @IsWebhookFormat()
  format?: WebhookFormat
}

@ApiSchema({ name: 'CreateWebhook', description: 'A webhook to create. `url` and `events` are required.' })
export class CreateWebhook extends OptionalWebhookFields {
  static readonly examples: BodyExamples<CreateWebhook> = {
    minimal: { url: fieldDocs.url.example, events: fieldDocs.events.example },
    full: {
      url: fieldDocs.url.example,
      events: ['*'],
      filter: { tags: ['sale'], human_only: true, changed_fields: ['url', 'tags'] },
      secret: fieldDocs.secret.example,
      description: fieldDocs.description.example,
      max_in_flight: 20,
      format: 'standard',
      headers: fieldDocs.headers.example,
      ordered: true,
      batch: batchDocs.example,
    },
  }

  static override inputErrors(
    fields: Partial<Record<CheckedField, unknown>>,
    settings: UrlRules,
  ): InputError[] {
    return [...super.inputErrors(fields, settings), ...batchErrors(WebhookBatchInput, fields.batch)]
  }

  @ApiProperty(fieldDocs.url)
  @IsWebhookUrl()
  url!: string

  @ApiProperty(fieldDocs.events)
  @IsEventList()
  events!: string[]

  @ApiPropertyOptional(fieldDocs.secret)
  @Optional()
  @IsSecret()
  secret?: string

  @ApiPropertyOptional({ ...batchDocs, type: WebhookBatchInput })
  @Nullable()
  @IsBatch()
  batch?: WebhookBatchInput | null

  @ApiPropertyOptional(fieldDocs.headers)
  @Nullable()
  @IsHeaders()
  headers?: HeadersPatch
}

@ApiSchema({
  name: 'UpdateWebhook',
  description: 'Changes to a webhook. Absent fields stay unchanged, and null clears a field.',
})
export class UpdateWebhook extends OptionalWebhookFields {
  static readonly examples: BodyExamples<UpdateWebhook> = {
    minimal: { description: 'The new warehouse' },
    full: {
      url: fieldDocs.url.example,
      events: ['link.created', 'link.updated', 'link.deleted'],
      filter: { ...filterDocs.example, tags: null },
      secret: fieldDocs.secret.example,
      description: 'The new warehouse',
      max_in_flight: 5,
      format: 'standard',
      headers: fieldDocs.changedHeaders.example,
      ordered: false,
      batch: null,
      status: 'active',
    },
  }

  static override inputErrors(
    fields: Partial<Record<CheckedField, unknown>>,
    settings: UrlRules,
  ): InputError[] {
    return [...super.inputErrors(fields, settings), ...batchErrors(WebhookBatchPatch, fields.batch)]
  }

  @ApiPropertyOptional(fieldDocs.url)
  @Optional()
  @IsWebhookUrl()
  url?: string

  @ApiPropertyOptional(fieldDocs.events)
  @Optional()
  @IsEventList()
  events?: string[]

  @ApiPropertyOptional(fieldDocs.newSecret)
  @Optional()
  @IsSecret()
  secret?: string

  @ApiPropertyOptional({ ...batchDocs, type: WebhookBatchPatch })
  @Nullable()
  @IsBatch()
  batch?: WebhookBatchPatch | null

  @ApiPropertyOptional(fieldDocs.changedHeaders)
  @Nullable()
  @IsHeaders()
  headers?: HeadersPatch

  @ApiPropertyOptional({
    ...enumSchema('ChosenWebhookStatus', 'Status that a webhook can be set to.', ['active', 'paused']),
    description: '`paused` holds events. `active` sends held events and reactivates a disabled webhook.',
    example: 'paused',
  })
  @Optional()
  @IsChosenStatus()
  status?: 'active' | 'paused'
}

@ApiSchema({
  name: 'RotateWebhookSecret',
  description: 'Options of a rotation. The request body is optional.',
})
export class RotateSecret {
  static readonly examples: BodyExamples<RotateSecret> = {
    minimal: {},
    full: { secret: fieldDocs.secret.example, overlap: '24h' },
  }

  @ApiPropertyOptional(fieldDocs.secret)
  @Optional()
  @IsSecret()
  secret?: string

  @ApiPropertyOptional({
    description:
      'How long requests are also signed with the old secret, from `1s` to `30d`, or `0s` to stop immediately. Default: `24h`.',
    example: '24h',
  })
  @Optional()
  @IsOverlap()
  overlap?: string
}
