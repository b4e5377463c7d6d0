import { ApiPropertyOptional } from '@nestjs/swagger'

import { enumSchema } from '../../platform/http/openapi/api-docs.js'
import { IsOneOf, IsWholeNumberText, Optional } from '../../platform/http/input/fields.js'
import { qrFormats, qrLevels } from './qr-image.js'
import { QueryInput } from '../../platform/http/input/input.pipe.js'

export class QrQuery extends QueryInput {
  @ApiPropertyOptional({
    ...enumSchema('QrFormat', 'Image format.', qrFormats),
    description: 'Image format. Default: `svg`.',
  })
  @Optional()
  @IsOneOf('invalid_format', qrFormats)
  format?: (typeof qrFormats)[number]

  @ApiPropertyOptional({ description: 'Width and height in pixels. Default: 512.' })
  @Optional()
  @IsWholeNumberText(64, 2048)
  size?: string

  @ApiPropertyOptional({
    description: 'Width of the white margin in modules. Scanners expect 4. Default: 4.',
  })
  @Optional()
  @IsWholeNumberText(0, 16)
  margin?: string

  @ApiPropertyOptional({
    ...enumSchema(
      'QrLevel',
      'Error correction level, the share of the image that can be damaged: L 7%, M 15%, Q 25%, H 30%.',
      qrLevels,
    ),
    description: 'Error correction level. Default: `M`.',
  })
  @Optional()
  @IsOneOf('invalid_level', qrLevels)
  level?: (typeof qrLevels)[number]
}
