import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger'
import { IsIn } from 'class-validator'

import { encodeId, timeOf } from '../../platform/database/ids.js'
import { IsFlagText, Optional } from '../../platform/http/fields.js'
import type { Import } from './import.entity.js'
import { formatNames } from './parsing/formats.js'
import type { FormatName } from './parsing/formats.js'
import { importStatuses, onConflict } from './states.js'
import type { ImportStatus, OnConflict } from './states.js'

const shownStatuses = importStatuses.filter((status) => status !== 'uploading')

const describes = {
  format: {
    enum: formatNames,
    description: 'Whose export it is. `csv` and `ndjson` have the fields of a link by their own names.',
    example: 'bitly',
  },
  onConflict: {
    enum: onConflict,
    description:
      'Where a link of the workspace has the slug or the external id: the line fails, is skipped, or changes that link.',
    example: 'skip',
  },
} as const

export class CreateImportQuery {
  @ApiPropertyOptional({
    ...describes.format,
    description: `${describes.format.description} Absent: it is recognised by its columns.`,
  })
  @Optional()
  @IsIn(formatNames, { message: `Write one of ${formatNames.join(', ')}, or leave it out.` })
  format?: FormatName

  @ApiPropertyOptional({ ...describes.onConflict, default: 'fail' })
  @Optional()
  @IsIn(onConflict, { message: `Write one of ${onConflict.join(', ')}.` })
  on_conflict?: OnConflict

  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description: 'Checks each line and counts what would become of it. No link is made or changed.',
    example: true,
  })
  @Optional()
  @IsFlagText()
  dry_run?: string

  @ApiPropertyOptional({
    type: Boolean,
    default: true,
    description: 'Whether the links make events, and so deliveries to webhooks.',
    example: false,
  })
  @Optional()
  @IsFlagText()
  notify?: string
}

export class ImportDto {
  @ApiProperty({ example: 'imp_01kaj3v9z4f8hva3x7m2c5d6ne' })
  id!: string

  @ApiProperty({
    enum: shownStatuses,
    description:
      '`waiting` while two others of the workspace run. `failed` is an import that could not go on, and says why in `error`; lines that failed do not make it one.',
    example: 'running',
  })
  status!: ImportStatus

  @ApiProperty(describes.format)
  format!: FormatName

  @ApiProperty(describes.onConflict)
  on_conflict!: OnConflict

  @ApiProperty({ example: false })
  dry_run!: boolean

  @ApiProperty({ example: true })
  notify!: boolean

  @ApiProperty({ description: 'Of the body.', example: 1048576 })
  bytes!: number

  @ApiProperty({ description: 'How much of the body is done.', example: 524288 })
  bytes_done!: number

  @ApiProperty({ description: 'Lines that are done: the sum of the four counts below.', example: 5000 })
  lines!: number

  @ApiProperty({ example: 4990 })
  created!: number

  @ApiProperty({ example: 0 })
  updated!: number

  @ApiProperty({ description: 'Lines whose link was there, or was so already.', example: 7 })
  skipped!: number

  @ApiProperty({ description: 'Lines that are in the report.', example: 3 })
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

  @ApiProperty({ format: 'date-time', example: '2026-01-31T12:00:00.000Z' })
  created_at!: string

  @ApiProperty({ type: String, nullable: true, format: 'date-time', example: '2026-01-31T12:00:01.000Z' })
  started_at!: string | null

  @ApiProperty({ type: String, nullable: true, format: 'date-time', example: null })
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
