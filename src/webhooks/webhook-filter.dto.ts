/** Filters in requests and responses. `events/webhook-filter.ts` evaluates them. */
import { ApiProperty, ApiPropertyOptional, ApiSchema, PartialType } from '@nestjs/swagger'

import type { WebhookFilter } from '../events/webhook-filter.js'
import { isTag, linkFieldNames, tagBounds } from '../links/link-fields.dto.js'
import type { LinkFieldName } from '../links/link-fields.dto.js'
import { decodeId, encodeId, idPattern } from '../platform/database/ids.js'
import { IsFlag, Nullable, Rule, unknownWords } from '../platform/http/input/fields.js'
import { validateFields } from '../platform/http/input/input.pipe.js'
import { isJsonObject } from '../platform/http/input/strict-json.js'
import { openEnumSchema } from '../platform/http/openapi/api-docs.js'
import type { InputError } from '../platform/http/problems/problem.js'

const maxItems = 100
const sizes = { minItems: 1, maxItems }

function isList(value: unknown, accepts: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length >= 1 && value.length <= maxItems && value.every(accepts)
}

/** Accepts IDs of deleted and unknown links, because a link may be deleted at any time. */
function IsLinkIdList(): PropertyDecorator {
  return Rule(
    'invalid_link_ids',
    `Must be a list of 1 to ${maxItems} link IDs, such as lnk_01kaj3v9z4f8hva3x7m2c5d6ne. Use null to remove the condition.`,
    (value) => isList(value, (id) => typeof id === 'string' && decodeId('lnk', id) !== null),
    { ...sizes, pattern: idPattern('lnk') },
  )
}

function IsFilterTagList(): PropertyDecorator {
  return Rule(
    'invalid_tags',
    `Must be a list of 1 to ${maxItems} tags of 1 to ${tagBounds.maxLength} characters each. Use null to remove the condition.`,
    (value) => isList(value, isTag),
    { ...sizes, ...tagBounds },
  )
}

function IsLinkFieldList(): PropertyDecorator {
  return Rule(
    'invalid_changed_fields',
    (value) =>
      `${unknownWords(value, linkFieldNames)}Must be a list of at least one of these link fields: ${linkFieldNames.join(', ')}. Use null to remove the condition.`,
    (value) => isList(value, (name) => linkFieldNames.includes(name as LinkFieldName)),
    sizes,
  )
}

@ApiSchema({
  name: 'WebhookFilter',
  description:
    'Conditions that an event must meet. Each condition applies only to events that have the attribute, and other events meet it.',
})
export class WebhookFilterDto {
  @ApiProperty({
    type: String,
    isArray: true,
    nullable: true,
    description: 'Only events of these links and their clicks. Null for all links. Duplicates are merged.',
    example: ['lnk_01kaj3v9z4f8hva3x7m2c5d6ne'],
  })
  @Nullable()
  @IsLinkIdList()
  link_ids!: string[] | null

  @ApiProperty({
    type: String,
    isArray: true,
    nullable: true,
    description:
      'Only events of links that have one of these tags, and their clicks. An update that removes the tag counts too. Null for all links. Duplicates are merged.',
    example: ['sale'],
  })
  @Nullable()
  @IsFilterTagList()
  tags!: string[] | null

  @ApiProperty({ description: 'Whether clicks of bots are excluded.', example: true })
  @IsFlag()
  human_only!: boolean

  @ApiProperty({
    ...openEnumSchema('LinkField', 'A field of a link that users can set.', linkFieldNames),
    isArray: true,
    nullable: true,
    description:
      'Only `link.updated` events that changed one of these fields. Null for all updates. Duplicates are merged.',
    example: ['url', 'tags'],
  })
  @Nullable()
  @IsLinkFieldList()
  changed_fields!: string[] | null

  static from({ link_ids, tags, human_only, changed_fields }: WebhookFilter): WebhookFilterDto {
    return Object.assign(new WebhookFilterDto(), {
      link_ids: link_ids?.map((id) => encodeId('lnk', id)) ?? null,
      tags: tags ?? null,
      human_only: human_only ?? false,
      changed_fields: changed_fields ?? null,
    })
  }
}

@ApiSchema({
  name: 'WebhookFilterInput',
  description: 'Conditions of a filter. Null removes a condition.',
})
export class WebhookFilterInput extends PartialType(WebhookFilterDto, { skipNullProperties: false }) {
  @ApiPropertyOptional({
    type: Boolean,
    nullable: true,
    description: 'Whether clicks of bots are excluded. Default: false.',
    example: true,
  })
  @Nullable()
  @IsFlag()
  declare human_only?: boolean
}

export const filterDocs = {
  nullable: true,
  description:
    'Filter of the events that the webhook receives, in addition to their types. An event must meet all conditions. Null for no filter.',
  example: {
    link_ids: ['lnk_01kaj3v9z4f8hva3x7m2c5d6ne'],
    tags: ['sale'],
    human_only: true,
    changed_fields: ['url', 'tags'],
  },
}

/** Checks only that the filter is an object. `filterErrors` checks its conditions. */
export function IsFilter(): PropertyDecorator {
  return Rule(
    'not_an_object',
    'Must be an object with the conditions, such as {"tags": ["sale"]}, or null for no filter.',
    isJsonObject,
  )
}

export function filterErrors(filter: unknown): InputError[] {
  if (!isJsonObject(filter)) return []
  return validateFields(WebhookFilterInput, filter).errors.map((error) =>
    'pointer' in error ? { ...error, pointer: `/filter${error.pointer}` } : error,
  )
}

/** Applies a merge patch to a stored filter. Returns null if no condition is left. */
export function patchFilter(
  before: WebhookFilter | null,
  patch: WebhookFilterInput | null,
): WebhookFilter | null {
  if (patch === null) return null
  const current = before === null ? {} : WebhookFilterDto.from(before)
  const { link_ids, tags, human_only, changed_fields } = Object.assign(
    new WebhookFilterInput(),
    current,
    patch,
  )
  const filter: WebhookFilter = {
    ...(link_ids && { link_ids: withoutDuplicates(link_ids).map((id) => decodeId('lnk', id)!) }),
    ...(tags && { tags: withoutDuplicates(tags) }),
    ...(human_only && { human_only }),
    ...(changed_fields && { changed_fields: withoutDuplicates(changed_fields) }),
  }
  return Object.keys(filter).length === 0 ? null : filter
}

function withoutDuplicates(items: readonly string[]): string[] {
  return [...new Set(items)]
}
