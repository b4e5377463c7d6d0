import { ApiPropertyOptional } from '@nestjs/swagger'
import { IsIn } from 'class-validator'

import { IsWholeNumberText, Optional } from '../../platform/http/fields.js'
import { qrFormats, qrLevels } from './qr-picture.js'

export class QrQuery {
  @ApiPropertyOptional({
    enum: qrFormats,
    description: 'The kind of picture. Absent: svg.',
  })
  @Optional()
  @IsIn(qrFormats, { message: `Write one of ${qrFormats.join(', ')}.` })
  format?: (typeof qrFormats)[number]

  @ApiPropertyOptional({
    type: String,
    pattern: '^\\d+$',
    description: 'The pixels of a side, 64 to 2,048. Absent: 512.',
  })
  @Optional()
  @IsWholeNumberText(64, 2048)
  size?: string

  @ApiPropertyOptional({
    type: String,
    pattern: '^\\d+$',
    description: 'The white margin in modules, 0 to 16. Readers expect 4. Absent: 4.',
  })
  @Optional()
  @IsWholeNumberText(0, 16)
  margin?: string

  @ApiPropertyOptional({
    enum: qrLevels,
    description: 'How much of it may be damaged: L 7 %, M 15 %, Q 25 %, H 30 %. Absent: M.',
  })
  @Optional()
  @IsIn(qrLevels, { message: `Write one of ${qrLevels.join(', ')}.` })
  level?: (typeof qrLevels)[number]
}
