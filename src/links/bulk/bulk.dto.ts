import { ApiExtraModels, ApiProperty, ApiPropertyOptional, ApiSchema, getSchemaPath } from '@nestjs/swagger'

import { enumOf } from '../../platform/http/openapi/api-docs.js'
import type { BodyExamples } from '../../platform/http/openapi/api-docs.js'
import { IsFlag, IsOneOf, Optional, Rule } from '../../platform/http/input/fields.js'
import type { InputError } from '../../platform/http/problems/problem.js'
import { conflictModes } from '../link-fields.js'
import type { ConflictMode } from '../link-fields.js'
import { CreateLink, IsTagList, LinkDto, UpdateLink } from '../link.dto.js'
import { isJsonObject } from '../../platform/http/input/strict-json.js'
import type { RowOutcome } from '../write/decide.js'

const mostAtOnce = 1000
/** The largest body of a call with many links. */
export const mostBulkBytes = 10 * 1024 * 1024

export const conflictMode = enumOf(
  'ConflictMode',
  'What is done where a link is there already.',
  conflictModes,
)
const count = { type: 'integer', minimum: 0 } as const
const statuses = ['created', 'updated', 'deleted', 'skipped', 'failed'] as const

/** Checks only the number of items. Each item is checked on its own later. */
function IsBatchOf(what: string): PropertyDecorator {
  return Rule(
    'invalid_list',
    `Write a list of 1 to 1,000 ${what}.`,
    (value) => Array.isArray(value) && value.length >= 1 && value.length <= mostAtOnce,
  )
}

function IsObject(): PropertyDecorator {
  return Rule('not_an_object', 'Write an object with the fields to change.', isJsonObject)
}

const exampleId = 'lnk_01kaj3v9z4f8hva3x7m2c5d6ne'

class Bulk {
  @ApiPropertyOptional({
    description:
      'Whether all are done or none, as it is when absent: then one fault refuses the call, with every fault named. False: each is done by itself, and its fault stands in its result.',
    example: true,
  })
  @Optional()
  @IsFlag()
  atomic?: boolean
}

@ApiSchema({ name: 'BulkCreate', description: 'Many links to make.' })
export class BulkCreate extends Bulk {
  static readonly examples: BodyExamples<BulkCreate> = {
    least: { links: [CreateLink.examples.least] },
    everything: {
      links: [CreateLink.examples.least, CreateLink.examples.everything],
      on_conflict: 'skip',
      atomic: false,
    },
  }

  @ApiProperty({
    type: CreateLink,
    isArray: true,
    minItems: 1,
    maxItems: mostAtOnce,
    description: 'The links, each as it is created alone. They are taken in this order.',
  })
  @IsBatchOf('links')
  links!: unknown[]

  @ApiPropertyOptional({
    ...conflictMode,
    description:
      'What is done where a link of the workspace has the slug or the external id already: `fail`, also when absent; `skip` leaves it as it is; `update` changes it by the fields that came, and leaves the others. A slug of another workspace or of a deleted link is a fault in each case.',
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
    maxItems: mostAtOnce,
    description: 'The ids of the links.',
    example: ['lnk_01kaj3v9z4f8hva3x7m2c5d6ne'],
  })
  @IsBatchOf('ids')
  ids!: unknown[]
}

@ApiSchema({ name: 'BulkUpdate', description: 'One change for many links.' })
export class BulkUpdate extends BulkOfIds {
  static readonly examples: BodyExamples<BulkUpdate> = {
    least: { ids: [exampleId], add_tags: ['sale'], atomic: false },
    everything: {
      ids: [exampleId],
      patch: { title: 'Summer sale' },
      add_tags: ['sale'],
      remove_tags: ['draft'],
      atomic: false,
    },
  }

  @ApiPropertyOptional({
    type: UpdateLink,
    description: 'Changes each of the links as `PATCH /v1/links/:id` does.',
  })
  @Optional()
  @IsObject()
  patch?: Record<string, unknown>

  @ApiPropertyOptional({
    type: String,
    isArray: true,
    description: 'Tags that each of the links has from then on, beside its own.',
    example: ['sale'],
  })
  @Optional()
  @IsTagList()
  add_tags?: string[]

  @ApiPropertyOptional({
    type: String,
    isArray: true,
    description: 'Tags that none of the links has from then on.',
    example: ['draft'],
  })
  @Optional()
  @IsTagList()
  remove_tags?: string[]
}

@ApiSchema({ name: 'BulkDelete', description: 'Many links to delete.' })
export class BulkDelete extends BulkOfIds {
  // Not atomic, because the example id names no link, and one fault would refuse the whole call.
  static readonly examples: BodyExamples<BulkDelete> = {
    least: { ids: [exampleId], atomic: false },
    everything: { ids: [exampleId], atomic: false },
  }
}

@ApiSchema({ name: 'BulkFault', description: 'Why one of many was not done.' })
export class BulkFaultDto {
  @ApiProperty({ description: 'As of a call for this link alone.', example: 'conflict' })
  code!: string

  @ApiProperty({
    description: 'What happened.',
    example: 'The slug spring is taken, or was once and is not given out again. Choose another.',
  })
  detail!: string

  @ApiProperty({
    type: 'array',
    items: { $ref: '#/components/schemas/InputError' },
    description: 'Every wrong place, with pointers into the body of the call.',
    example: [
      {
        pointer: '/links/17/slug',
        code: 'taken',
        detail: 'The slug spring is taken, or was once and is not given out again. Choose another.',
      },
    ],
  })
  errors!: InputError[]
}

@ApiSchema({ name: 'BulkResult', description: 'What became of one of many.' })
@ApiExtraModels(LinkDto, BulkFaultDto)
export class BulkResultDto {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Its place in the list that came, from 0 on.',
    example: 0,
  })
  index!: number

  @ApiProperty({
    ...enumOf('BulkStatus', 'What can become of one of many.', statuses),
    description: '`skipped`: it was there already, or nothing of it had to be changed.',
    example: 'created',
  })
  status!: (typeof statuses)[number]

  @ApiProperty({
    anyOf: [{ $ref: getSchemaPath(LinkDto) }, { type: 'null' }],
    description: 'The link as this left it; null where it failed.',
    example: null,
  })
  link!: LinkDto | null

  @ApiProperty({
    anyOf: [{ $ref: getSchemaPath(BulkFaultDto) }, { type: 'null' }],
    description: 'Null where it did not fail.',
    example: null,
  })
  error!: BulkFaultDto | null
}

@ApiSchema({ name: 'BulkReport', description: 'What became of all of them, and of each.' })
export class BulkReportDto {
  @ApiProperty({ ...count, description: 'How many were created.', example: 2 })
  created!: number

  @ApiProperty({ ...count, description: 'How many were changed.', example: 0 })
  updated!: number

  @ApiProperty({ ...count, description: 'How many were deleted.', example: 0 })
  deleted!: number

  @ApiProperty({ ...count, description: 'How many were left as they are.', example: 0 })
  skipped!: number

  @ApiProperty({ ...count, description: 'How many failed.', example: 0 })
  failed!: number

  @ApiProperty({ type: BulkResultDto, isArray: true, description: 'One for each, in the order that came.' })
  results!: BulkResultDto[]

  /** `pointer` leads to the list in the body, such as `/links`. */
  static from(outcomes: readonly RowOutcome[], pointer: string): BulkReportDto {
    const report = new BulkReportDto()
    for (const status of statuses) report[status] = 0
    report.results = outcomes.map((outcome, index) => {
      report[outcome.status] += 1
      const { status } = outcome
      return status === 'failed'
        ? { index, status, link: null, error: shownFault(outcome, `${pointer}/${index}`) }
        : { index, status, link: outcome.link, error: null }
    })
    return report
  }
}

function shownFault({ fault }: RowOutcome & { status: 'failed' }, pointer: string): BulkFaultDto {
  const { code, detail, errors } = fault
  return { code, detail, errors: errors.map((error) => pointedAt(error, pointer)) }
}

/** The fault of an object, with a pointer from the body instead of from the object. */
export function pointedAt(error: InputError, pointer: string): InputError {
  return 'pointer' in error ? { ...error, pointer: pointer + error.pointer } : error
}
