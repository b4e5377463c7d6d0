import { ApiPropertyOptional } from '@nestjs/swagger'
import { IsIn } from 'class-validator'

import { IsFlagText, IsText, Optional } from '../platform/http/fields.js'
import { CreatedQuery } from '../platform/http/page.js'

const sorts = ['created_at', '-created_at', '-clicks'] as const
export type LinkSort = (typeof sorts)[number]

export class ListLinksQuery extends CreatedQuery {
  @ApiPropertyOptional({
    description: 'Text that stands in the slug, the url or the title.',
    example: 'spring',
  })
  @Optional()
  @IsText(1, 200)
  q?: string

  @ApiPropertyOptional({ description: 'Only links with this tag.', example: 'sale' })
  @Optional()
  @IsText(1, 50)
  tag?: string

  @ApiPropertyOptional({ description: 'Only the link with your own id.', example: 'campaign-17' })
  @Optional()
  @IsText(1, 255)
  external_id?: string

  @ApiPropertyOptional({
    type: Boolean,
    description: 'Only links that are, or are not, enabled.',
    example: true,
  })
  @Optional()
  @IsFlagText()
  enabled?: string

  @ApiPropertyOptional({
    enum: sorts,
    default: '-created_at',
    description: 'A minus means descending.',
    example: '-clicks',
  })
  @Optional()
  @IsIn(sorts, { message: `Write one of ${sorts.join(', ')}.` })
  sort?: LinkSort
}
