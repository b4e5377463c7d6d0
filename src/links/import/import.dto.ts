import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import { encodeId, timeOf } from '../../platform/database/ids.js'
import { enumOf } from '../../platform/http/openapi/api-docs.js'
import { IsFlagText, IsOneOf, Optional } from '../../platform/http/input/fields.js'
import { conflictMode } from '../bulk/bulk.dto.js'
import { conflictModes, formatNames } from '../link-fields.js'
import type { ConflictMode, FormatName } from '../link-fields.js'
import type { Import } from './import.entity.js'
import { importStatuses } from './states.js'
import type { ImportStatus } from './states.js'

const shownStatuses = importStatuses.filter((status) => status !== 'uploading')

const describes = {
  format: {
    ...enumOf('ImportFormat', 'Whose export a file is.', formatNames),
    description: 'Whose export it is. `csv` and `ndjson` have the fields of a link by their own names.',
  },
  onConflict: {
    ...conflictMode,
    description:
      'Where a link of the workspace has the slug or the external id: the line fails, is skipped, or changes that link.',
  },
} as const

export class CreateImportQuery {
  @ApiPropertyOptional({
    ...describes.format,
    description: `${describes.format.description} Absent: it is recognised by its columns.`,
  })
  @Optional()
  @IsOneOf('invalid_format', formatNames)
  format?: FormatName

  @ApiPropertyOptional({
    ...describes.onConflict,
    description: `${describes.onConflict.description} Absent: it fails.`,
  })
  @Optional()
  @IsOneOf('invalid_conflict_mode', conflictModes)
  on_conflict?: ConflictMode

  @ApiPropertyOptional({
    description:
      'Checks each line and counts what would become of it. No link is made or changed. Absent: false.',
  })
  @Optional()
  @IsFlagText()
  dry_run?: string

  @ApiPropertyOptional({
    description: 'Whether the links make events, and so deliveries to webhooks. Absent: true.',
  })
  @Optional()
  @IsFlagText()
  notify?: string
}

const count = { type: 'integer', minimum: 0 } as const

@ApiSchema({ name: 'Import', description: 'A file of links, and how far it is.' })
export class ImportDto {
  @ApiProperty({ description: 'Its id.', example: 'imp_01kaj3v9z4f8hva3x7m2c5d6ne' })
  id!: string

  @ApiProperty({
    ...enumOf('ImportStatus', 'How an import stands.', shownStatuses),
    description:
      '`waiting` while two others of the workspace run. `failed` is an import that could not go on, and says why in `error`; lines that failed do not make it one.',
    example: 'running',
  })
  status!: ImportStatus

  @ApiProperty({ ...describes.format, example: 'bitly' })
  format!: FormatName

  @ApiProperty({ ...describes.onConflict, example: 'skip' })
  on_conflict!: ConflictMode

  @ApiProperty({ description: 'Whether nothing is made or changed.', example: false })
  dry_run!: boolean

  @ApiProperty({ description: 'Whether the links make events.', example: true })
  notify!: boolean

  @ApiProperty({ ...count, description: 'How long the body is.', example: 1048576 })
  bytes!: number

  @ApiProperty({ ...count, description: 'How much of the body is done.', example: 524288 })
  bytes_done!: number

  @ApiProperty({
    ...count,
    description: 'Lines that are done: the sum of the four counts below.',
    example: 5000,
  })
  lines!: number

  @ApiProperty({ ...count, description: 'Links that were created.', example: 4990 })
  created!: number

  @ApiProperty({ ...count, description: 'Links that were changed.', example: 0 })
  updated!: number

  @ApiProperty({ ...count, description: 'Lines whose link was there, or was so already.', example: 7 })
  skipped!: number

  @ApiProperty({ ...count, description: 'Lines that are in the report.', example: 3 })
  failed!: number

  @ApiProperty({
    type: String,
    isArray: true,
    description: 'Columns that nothing was taken from, at most 100.',
    example: ['created_at', 'archived'],
  })
  ignored_columns!: string[]

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why it failed as a whole.',
    example: null,
  })
  error!: string | null

  @ApiProperty({ format: 'date-time', description: 'When it was sent.', example: '2026-01-31T12:00:00.000Z' })
  created_at!: string

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'When the first lines were read.',
    example: '2026-01-31T12:00:01.000Z',
  })
  started_at!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'When it ended; null before.',
    example: null,
  })
  finished_at!: string | null

  static from(row: Import): ImportDto {
    const shown = new ImportDto()
    shown.id = encodeId('imp', row.id)
    shown.status = row.status
    shown.format = row.layout.format
    shown.on_conflict = row.onConflict
    shown.dry_run = row.dryRun
    shown.notify = row.notify
    shown.bytes = Number(row.bytes)
    shown.bytes_done = Number(row.bodyOffset)
    shown.lines = row.created + row.updated + row.skipped + row.failed
    shown.created = row.created
    shown.updated = row.updated
    shown.skipped = row.skipped
    shown.failed = row.failed
    shown.ignored_columns = row.ignoredColumns
    shown.error = row.error
    shown.created_at = timeOf(row.id).toISOString()
    shown.started_at = row.startedAt?.toISOString() ?? null
    shown.finished_at = row.finishedAt?.toISOString() ?? null
    return shown
  }
}
