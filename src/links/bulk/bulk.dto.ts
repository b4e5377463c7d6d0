import { ApiExtraModels, ApiProperty, ApiPropertyOptional, ApiSchema, getSchemaPath } from '@nestjs/swagger'

import { count, enumSchema } from '../../platform/http/openapi/api-docs.js'
import type { BodyExamples } from '../../platform/http/openapi/api-docs.js'
import { IsFlag, IsOneOf, Optional, Rule } from '../../platform/http/input/fields.js'
import type { InputError } from '../../platform/http/problems/problem.js'
import { conflictModes } from '../link-fields.js'
import type { ConflictMode } from '../link-fields.js'
import { conflictMode, IsTagList } from '../link-fields.dto.js'
import { CreateLink, LinkDto, UpdateLink } from '../link.dto.js'
import { isJsonObject } from '../../platform/http/input/strict-json.js'
import type { RowOutcome } from '../write/decide.js'

const maxItems = 1000
export const maxBulkBytes = 10 * 1024 * 1024

const statuses = ['created', 'updated', 'deleted', 'skipped', 'failed'] as const

/** Checks only the number of items. The service validates each item. */
function IsListOf(items: string): PropertyDecorator {
  return Rule(
    'invalid_list',
    `Must be a list of 1 to 1,000 ${items}.`,
    (value) => Array.isArray(value) && value.length >= 1 && value.length <= maxItems,
  )
}

function IsObject(): PropertyDecorator {
  return Rule('not_an_object', 'Must be an object with the fields to change.', isJsonObject)
}

const exampleId = 'lnk_01kaj3v9z4f8hva3x7m2c5d6ne'

class Bulk {
  @ApiPropertyOptional({
    description:
      'Whether to change nothing if one item fails. `true`: all items succeed, or the response lists every error. `false`: items are processed independently, and the result of each failed item contains its error. Default: true.',
    example: true,
  })
  @Optional()
  @IsFlag()
  atomic?: boolean
}

@ApiSchema({ name: 'BulkCreate', description: 'Links to create.' })
export class BulkCreate extends Bulk {
  static readonly examples: BodyExamples<BulkCreate> = {
    minimal: { links: [CreateLink.examples.minimal] },
    full: {
      links: [CreateLink.examples.minimal, CreateLink.examples.full],
      on_conflict: 'skip',
      atomic: false,
    },
  }

  @ApiProperty({
    type: CreateLink,
    isArray: true,
    minItems: 1,
    maxItems,
    description: 'Links to create, processed in this order. Each has the fields of a single create request.',
  })
  @IsListOf('links')
  links!: unknown[]

  @ApiPropertyOptional({
    ...conflictMode,
    description:
      'How to handle a slug or external ID that already exists in the workspace. `fail` reports an error, `skip` leaves the existing link unchanged, and `update` updates it with the given fields. A slug that is used in another workspace, or was used by a deleted link, is always an error. Default: `fail`.',
    example: 'skip',
  })
  @Optional()
  @IsOneOf('invalid_conflict_mode', conflictModes)
  on_conflict?: ConflictMode
}

class BulkOfIds extends Bulk {
  @ApiProperty({
    type: String,
    isArray: true,
    minItems: 1,
    maxItems,
    description: 'IDs of the links.',
    example: ['lnk_01kaj3v9z4f8hva3x7m2c5d6ne'],
  })
  @IsListOf('IDs')
  ids!: unknown[]
}

@ApiSchema({ name: 'BulkUpdate', description: 'A change to apply to several links.' })
export class BulkUpdate extends BulkOfIds {
  static readonly examples: BodyExamples<BulkUpdate> = {
    minimal: { ids: [exampleId], add_tags: ['sale'], atomic: false },
    full: {
      ids: [exampleId],
      patch: { title: 'Summer sale' },
      add_tags: ['sale'],
      remove_tags: ['draft'],
      atomic: false,
    },
  }

  @ApiPropertyOptional({
    type: UpdateLink,
    description: 'Changes to apply to each link, as in `PATCH /v1/links/:id`.',
  })
  @Optional()
  @IsObject()
  patch?: Record<string, unknown>

  @ApiPropertyOptional({
    type: String,
    isArray: true,
    description: 'Tags to add to each link.',
    example: ['sale'],
  })
  @Optional()
  @IsTagList()
  add_tags?: string[]

  @ApiPropertyOptional({
    type: String,
    isArray: true,
    description: 'Tags to remove from each link.',
    example: ['draft'],
  })
  @Optional()
  @IsTagList()
  remove_tags?: string[]
}

@ApiSchema({ name: 'BulkDelete', description: 'Links to delete.' })
export class BulkDelete extends BulkOfIds {
  // Not atomic, because the example ID does not exist and would fail the whole request.
  static readonly examples: BodyExamples<BulkDelete> = {
    minimal: { ids: [exampleId], atomic: false },
    full: { ids: [exampleId], atomic: false },
  }
}

@ApiSchema({ name: 'BulkError', description: 'Error of an item.' })
export class BulkFaultDto {
  @ApiProperty({ description: 'Error code, as for a request for a single link.', example: 'conflict' })
  code!: string

  @ApiProperty({
    description: 'Explanation of the error.',
    example: 'The slug spring is in use, or was used by a deleted link. Choose another slug.',
  })
  detail!: string

  @ApiProperty({
    type: 'array',
    items: { $ref: '#/components/schemas/InputError' },
    description: 'Every invalid field of the item, with JSON pointers into the request body.',
    example: [
      {
        pointer: '/links/17/slug',
        code: 'taken',
        detail: 'The slug spring is in use, or was used by a deleted link. Choose another slug.',
      },
    ],
  })
  errors!: InputError[]
}

@ApiSchema({ name: 'BulkResult', description: 'Result of an item.' })
@ApiExtraModels(LinkDto, BulkFaultDto)
export class BulkResultDto {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Position of the item in the request, starting at 0.',
    example: 0,
  })
  index!: number

  @ApiProperty({
    ...enumSchema('BulkStatus', 'Result status of an item.', statuses),
    description: 'Result of the item. `skipped`: the link already existed or needed no change.',
    example: 'created',
  })
  status!: (typeof statuses)[number]

  @ApiProperty({
    anyOf: [{ $ref: getSchemaPath(LinkDto) }, { type: 'null' }],
    description: 'The link after the request. Null if the item failed.',
    example: null,
  })
  link!: LinkDto | null

  @ApiProperty({
    anyOf: [{ $ref: getSchemaPath(BulkFaultDto) }, { type: 'null' }],
    description: 'Error of the item. Null if it succeeded.',
    example: null,
  })
  error!: BulkFaultDto | null
}

@ApiSchema({ name: 'BulkReport', description: 'Counts for all items and the result of each.' })
export class BulkReportDto {
  @ApiProperty({ ...count, description: 'Number of created links.', example: 2 })
  created!: number

  @ApiProperty({ ...count, description: 'Number of updated links.', example: 0 })
  updated!: number

  @ApiProperty({ ...count, description: 'Number of deleted links.', example: 0 })
  deleted!: number

  @ApiProperty({ ...count, description: 'Number of skipped links.', example: 0 })
  skipped!: number

  @ApiProperty({ ...count, description: 'Number of failed items.', example: 0 })
  failed!: number

  @ApiProperty({
    type: BulkResultDto,
    isArray: true,
    description: 'One result per item, in the order of the request.',
  })
  results!: BulkResultDto[]

  /** `pointer` is the JSON pointer of the list in the request body, such as `/links`. */
  static from(outcomes: readonly RowOutcome[], pointer: string): BulkReportDto {
    const report = new BulkReportDto()
    for (const status of statuses) report[status] = 0
    report.results = outcomes.map((outcome, index) => {
      report[outcome.status] += 1
      const { status } = outcome
      return status === 'failed'
        ? { index, status, link: null, error: toBulkFaultDto(outcome, `${pointer}/${index}`) }
        : { index, status, link: outcome.link, error: null }
    })
    return report
  }
}

function toBulkFaultDto({ fault }: RowOutcome & { status: 'failed' }, pointer: string): BulkFaultDto {
  const { code, detail, errors } = fault
  return { code, detail, errors: errors.map((error) => prefixPointer(error, pointer)) }
}

/** Changes the pointer of an error from relative to an object to relative to the request body. */
export function prefixPointer(error: InputError, pointer: string): InputError {
  return 'pointer' in error ? { ...error, pointer: pointer + error.pointer } : error
}
