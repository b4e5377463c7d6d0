import { ApiPropertyOptional, OmitType } from '@nestjs/swagger'

import { enumSchema } from '../../platform/http/openapi/api-docs.js'
import { IsOneOf, Optional } from '../../platform/http/input/fields.js'
import { containers } from '../link-fields.js'
import type { Container } from '../link-fields.js'
import { ListLinksQuery } from '../list-links.dto.js'

export class ExportLinksQuery extends OmitType(ListLinksQuery, ['limit', 'cursor'] as const) {
  /** Repeated here, because `OmitType` does not inherit static members. */
  static readonly isQuery = true

  @ApiPropertyOptional({
    ...enumSchema(
      'ExportFormat',
      'Export format: CSV with a header row, or one JSON object per line.',
      containers,
    ),
    description: 'Export format. Default: `csv`.',
  })
  @Optional()
  @IsOneOf('invalid_format', containers)
  format?: Container
}
