/** The batch settings of webhooks in requests and responses. */
import type { Type } from '@nestjs/common'
import { ApiProperty, ApiSchema, PartialType } from '@nestjs/swagger'

import { parseDuration } from '../platform/config/duration.js'
import { IsDuration, IsIntegerBetween, Rule } from '../platform/http/input/fields.js'
import { validateFields } from '../platform/http/input/input.pipe.js'
import { isJsonObject } from '../platform/http/input/strict-json.js'
import { Problem } from '../platform/http/problems/problem.js'
import type { InputError } from '../platform/http/problems/problem.js'
import type { BatchRule, Webhook } from './webhook.entity.js'

@ApiSchema({
  name: 'WebhookBatch',
  description: 'When a batch is sent: when it is full, or when its first event has waited long enough.',
})
export class WebhookBatchDto {
  @ApiProperty({ description: 'Maximum number of events in a request.', example: 100 })
  @IsIntegerBetween(2, 1_000)
  max!: number

  @ApiProperty({
    description: 'Maximum time that an event waits for others.',
    example: '5s',
    pattern: '^(([1-9]|[1-5][0-9]|60)s|1m)$',
  })
  @IsDuration('1s', '60s')
  within!: string

  static from({ max, withinSeconds }: BatchRule): WebhookBatchDto {
    return Object.assign(new WebhookBatchDto(), { max, within: `${withinSeconds}s` })
  }
}

@ApiSchema({ name: 'WebhookBatchInput', description: 'When a batch is sent.' })
export class WebhookBatchInput extends WebhookBatchDto {}

@ApiSchema({
  name: 'WebhookBatchPatch',
  description: 'Changes to a batch. A webhook without batches needs both fields.',
})
export class WebhookBatchPatch extends PartialType(WebhookBatchDto, { skipNullProperties: false }) {}

export const batchDocs = {
  nullable: true,
  description:
    'Sends several events in one request with the body `{"batch_id", "events"}`, which is signed as a whole and has at most 1 MiB. `webhook-id` is the ID of the batch, and `webhook-sequence` is the `sequence` of its first event. Only with the format `standard`. Null for one event per request.',
  example: { max: 100, within: '5s' },
}

/** Checks only that the value is an object. `batchErrors` checks its fields. */
export function IsBatch(): PropertyDecorator {
  return Rule(
    'not_an_object',
    'Must be an object such as {"max": 100, "within": "5s"}, or null for one event per request.',
    isJsonObject,
  )
}

export function batchErrors(metatype: Type<WebhookBatchPatch>, batch: unknown): InputError[] {
  if (!isJsonObject(batch)) return []
  return validateFields(metatype, batch).errors.map((error) =>
    'pointer' in error ? { ...error, pointer: `/batch${error.pointer}` } : error,
  )
}

/** Applies a merge patch to a stored batch. */
export function patchBatch(before: BatchRule | null, patch: WebhookBatchPatch | null): BatchRule | null {
  if (patch === null) return null
  const current = before && WebhookBatchDto.from(before)
  const merged: WebhookBatchPatch = Object.assign(new WebhookBatchPatch(), current, patch)
  const { max, within } = merged
  const missing = Object.entries({ max, within }).filter(([, value]) => value === undefined)
  if (max === undefined || within === undefined)
    throw new Problem('validation_failed', { errors: missing.map(([name]) => createMissingError(name)) })
  return { max, withinSeconds: parseDuration(within)! }
}

function createMissingError(name: string): InputError {
  const detail = 'The webhook has no batches yet. Send both fields, such as {"max": 100, "within": "5s"}.'
  return { pointer: `/batch/${name}`, code: 'required', detail }
}

/** Slack and Discord accept one message per request. */
export function requireStandardFormat({ batch, format }: Webhook): void {
  if (batch === null || format === 'standard') return
  const detail = `A request to ${format} has one event. Set batch to null, or format to standard.`
  throw new Problem('validation_failed', { errors: [{ pointer: '/batch', code: 'incompatible', detail }] })
}
