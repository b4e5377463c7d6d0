import { ApiPropertyOptional, OmitType } from '@nestjs/swagger'

import { enumOf } from '../../platform/http/openapi/api-docs.js'
import { IsOneOf, Optional } from '../../platform/http/input/fields.js'
import { ListLinksQuery } from '../list-links.dto.js'

const exportFormats = ['csv', 'ndjson'] as const
export type ExportFormat = (typeof exportFormats)[number]

export class ExportLinksQuery extends OmitType(ListLinksQuery, ['limit', 'cursor'] as const) {
  /** Repeated here, because `OmitType` does not inherit static members. */
  static readonly isQuery = true

  @ApiPropertyOptional({
    ...enumOf(
      'ExportFormat',
      'Export format: CSV with a header row, or one JSON object per line.',
      exportFormats,
    ),
    description: 'Export format. Default: `csv`.',
  })
  @Optional()
  @IsOneOf('invalid_format', exportFormats)
  format?: ExportFormat
}
