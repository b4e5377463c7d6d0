import { ApiPropertyOptional } from '@nestjs/swagger'
import { IsIn } from 'class-validator'

import { IsWholeNumberText, Optional } from '../../platform/http/fields.js'
import { qrFormats, qrLevels } from './qr-picture.js'

export class QrQuery {
  @ApiPropertyOptional({
    enum: qrFormats,
    default: 'svg',
    description: 'The kind of picture.',
    example: 'png',
  })
  @Optional()
  @IsIn(qrFormats, { message: `Write one of ${qrFormats.join(', ')}.` })
  format?: (typeof qrFormats)[number]

  @ApiPropertyOptional({
    type: String,
    pattern: '^\\d+$',
    default: '512',
    description: 'The pixels of a side, 64 to 2,048.',
    example: '1024',
  })
  @Optional()
  @IsWholeNumberText(64, 2048)
  size?: string

  @ApiPropertyOptional({
    type: String,
    pattern: '^\\d+$',
    default: '4',
    description: 'The white margin in modules, 0 to 16. Readers expect 4.',
    example: '4',
  })
  @Optional()
  @IsWholeNumberText(0, 16)
  margin?: string

  @ApiPropertyOptional({
    enum: qrLevels,
    default: 'M',
    description: 'How much of it may be damaged: L 7 %, M 15 %, Q 25 %, H 30 %.',
    example: 'Q',
  })
  @Optional()
  @IsIn(qrLevels, { message: `Write one of ${qrLevels.join(', ')}.` })
  level?: (typeof qrLevels)[number]
}
