import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import { encodeId, getIdTime } from '../../platform/database/ids.js'
import { count, enumSchema, openEnumSchema } from '../../platform/http/openapi/api-docs.js'
import { IsFlagText, IsOneOf, Optional } from '../../platform/http/input/fields.js'
import { conflictMode, linkFields } from '../link-fields.dto.js'
import { conflictModes, formatNames } from '../link-fields.js'
import type { ConflictMode, FormatName } from '../link-fields.js'
import { importStatuses } from './import.entity.js'
import type { Import, ImportStatus } from './import.entity.js'
import { previewLines } from './limits.js'
import { previewOutcomes } from './preview.js'
import type { PreviewRow } from './preview.js'
import { QueryInput } from '../../platform/http/input/input.pipe.js'

const publicStatuses = importStatuses.filter((status) => status !== 'uploading')

const fieldDocs = {
  format: {
    ...openEnumSchema('ImportFormat', 'File format: native, or an export of another service.', formatNames),
    description:
      'Format of the file. `csv` and `ndjson` use the field names of links; the others are exports of other services.',
  },
  onConflict: {
    ...conflictMode,
    description:
      'How to handle a slug or external ID that already exists in the workspace: fail the line, skip it, or update the existing link.',
  },
} as const

export class CreateImportQuery extends QueryInput {
  @ApiPropertyOptional({
    ...fieldDocs.format,
    description: `${fieldDocs.format.description} Default: detected from the columns.`,
  })
  @Optional()
  @IsOneOf('invalid_format', formatNames)
  format?: FormatName

  @ApiPropertyOptional({
    ...fieldDocs.onConflict,
    description: `${fieldDocs.onConflict.description} Default: \`fail\`.`,
  })
  @Optional()
  @IsOneOf('invalid_conflict_mode', conflictModes)
  on_conflict?: ConflictMode

  @ApiPropertyOptional({
    description:
      'Checks each line and counts the results without creating or changing links. Default: false.',
  })
  @Optional()
  @IsFlagText()
  dry_run?: string

  @ApiPropertyOptional({
    description: 'Whether the imported links emit events, which are delivered to webhooks. Default: true.',
  })
  @Optional()
  @IsFlagText()
  notify?: string
}

@ApiSchema({ name: 'ImportPreviewRow', description: 'A line of a file, as it would be imported.' })
class PreviewRowDto implements PreviewRow {
  @ApiProperty({ ...count, description: 'Number of the line in the file.', example: 2 })
  line!: number

  @ApiProperty({
    ...enumSchema('ImportOutcome', 'What an import would do with a line.', previewOutcomes),
    description:
      'What an import would do with the line. `skipped`: the link already exists or needs no change.',
    example: 'created',
  })
  outcome!: PreviewRow['outcome']

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Slug of the line. Null if it has none, so that a new link gets a generated slug.',
    example: 'spring',
  })
  slug!: string | null

  @ApiProperty({ ...linkFields.get('url')!.documentation })
  url!: string

  @ApiProperty({ ...linkFields.get('title')!.documentation })
  title!: string | null

  @ApiProperty({ ...linkFields.get('tags')!.documentation })
  tags!: string[]

  @ApiProperty({ ...linkFields.get('expires_at')!.documentation })
  expires_at!: string | null
}

@ApiSchema({ name: 'Import', description: 'An import of links from a file, with its progress.' })
export class ImportDto {
  static readonly versionedBy: readonly string[] = ['id', 'status']

  @ApiProperty({ description: 'ID of the import.', example: 'imp_01kaj3v9z4f8hva3x7m2c5d6ne' })
  id!: string

  @ApiProperty({
    ...enumSchema('ImportStatus', 'Status of an import.', publicStatuses),
    description:
      'Status of the import. `waiting`: two other imports of the workspace are running. `failed`: the import stopped early, see `error`. A failed line does not stop the import.',
    example: 'running',
  })
  status!: ImportStatus

  @ApiProperty({ ...fieldDocs.format, example: 'bitly' })
  format!: FormatName

  @ApiProperty({ ...fieldDocs.onConflict, example: 'skip' })
  on_conflict!: ConflictMode

  @ApiProperty({
    description: 'Whether lines are only checked, without creating or changing links.',
    example: false,
  })
  dry_run!: boolean

  @ApiProperty({ description: 'Whether the imported links emit events.', example: true })
  notify!: boolean

  @ApiProperty({ ...count, description: 'Size of the file in bytes.', example: 1048576 })
  bytes!: number

  @ApiProperty({ ...count, description: 'Number of processed bytes.', example: 524288 })
  bytes_processed!: number

  @ApiProperty({
    ...count,
    description: 'Number of processed lines: the sum of `created`, `updated`, `skipped` and `failed`.',
    example: 5000,
  })
  lines!: number

  @ApiProperty({ ...count, description: 'Number of created links.', example: 4990 })
  created!: number

  @ApiProperty({ ...count, description: 'Number of updated links.', example: 0 })
  updated!: number

  @ApiProperty({
    ...count,
    description: 'Number of lines whose link already existed or needed no change.',
    example: 7,
  })
  skipped!: number

  @ApiProperty({ ...count, description: 'Number of failed lines. The report lists them.', example: 3 })
  failed!: number

  @ApiProperty({
    type: String,
    isArray: true,
    description: 'Columns that were ignored, at most 100.',
    example: ['created_at', 'archived'],
  })
  ignored_columns!: string[]

  @ApiProperty({
    type: PreviewRowDto,
    isArray: true,
    description: `The first ${previewLines} lines of a dry run that did not fail, as they would be imported. Lines that update a link show its values after the update. Empty for other imports.`,
    example: [],
  })
  preview!: PreviewRow[]

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why the import failed. Null if it did not fail.',
    example: null,
  })
  error!: string | null

  @ApiProperty({
    format: 'date-time',
    description: 'Time the import was created.',
    example: '2026-01-31T12:00:00.000Z',
  })
  created_at!: string

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'Time processing started. Null until then.',
    example: '2026-01-31T12:00:01.000Z',
  })
  started_at!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'Time the import ended. Null until then.',
    example: null,
  })
  finished_at!: string | null

  static from(row: Import): ImportDto {
    const dto = new ImportDto()
    dto.id = encodeId('imp', row.id)
    dto.status = row.status
    dto.format = row.layout.format
    dto.on_conflict = row.onConflict
    dto.dry_run = row.dryRun
    dto.notify = row.notify
    dto.bytes = Number(row.bytes)
    dto.bytes_processed = Number(row.bodyOffset)
    dto.lines = row.created + row.updated + row.skipped + row.failed
    dto.created = row.created
    dto.updated = row.updated
    dto.skipped = row.skipped
    dto.failed = row.failed
    dto.ignored_columns = row.ignoredColumns
    dto.preview = row.preview
    dto.error = row.error
    dto.created_at = getIdTime(row.id).toISOString()
    dto.started_at = row.startedAt?.toISOString() ?? null
    dto.finished_at = row.finishedAt?.toISOString() ?? null
    return dto
  }
}
