import { ApiPropertyOptional } from '@nestjs/swagger'

import { enumOf } from '../../platform/http/openapi/api-docs.js'
import { IsOneOf, IsWholeNumberText, Optional } from '../../platform/http/input/fields.js'
import { qrFormats, qrLevels } from './qr-picture.js'

export class QrQuery {
  @ApiPropertyOptional({
    ...enumOf('QrFormat', 'The kinds of picture.', qrFormats),
    description: 'The kind of picture. Absent: `svg`.',
  })
  @Optional()
  @IsOneOf('invalid_format', qrFormats)
  format?: (typeof qrFormats)[number]

  @ApiPropertyOptional({ description: 'The pixels of a side. Absent: 512.' })
  @Optional()
  @IsWholeNumberText(64, 2048)
  size?: string

  @ApiPropertyOptional({
    description: 'The white margin in modules. Readers expect 4, which it is when absent.',
  })
  @Optional()
  @IsWholeNumberText(0, 16)
  margin?: string

  @ApiPropertyOptional({
    ...enumOf('QrLevel', 'How much of a picture may be damaged: L 7 %, M 15 %, Q 25 %, H 30 %.', qrLevels),
    description: 'How much of it may be damaged. Absent: `M`.',
  })
  @Optional()
  @IsOneOf('invalid_level', qrLevels)
  level?: (typeof qrLevels)[number]
}
