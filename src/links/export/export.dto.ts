import { ApiPropertyOptional, OmitType } from '@nestjs/swagger'
import { IsIn } from 'class-validator'

import { Optional } from '../../platform/http/fields.js'
import { ListLinksQuery } from '../list-links.dto.js'

const exportFormats = ['csv', 'ndjson'] as const
export type ExportFormat = (typeof exportFormats)[number]

export class ExportLinksQuery extends OmitType(ListLinksQuery, ['limit', 'cursor'] as const) {
  @ApiPropertyOptional({
    enum: exportFormats,
    default: 'csv',
    description: 'CSV with a header, or one JSON object on each line.',
    example: 'ndjson',
  })
  @Optional()
  @IsIn(exportFormats, { message: `Write one of ${exportFormats.join(', ')}.` })
  format?: ExportFormat
}
