/** What a caller may ask of the list of links. */
import { ApiPropertyOptional } from '@nestjs/swagger'

import { enumOf } from '../../platform/http/openapi/api-docs.js'
import { IsFlagText, IsOneOf, IsText, Optional } from '../../platform/http/input/fields.js'
import { CreatedQuery } from '../../platform/http/input/page.js'
import { linkSorts, longest } from '../link-fields.js'

export type LinkSort = (typeof linkSorts)[number]

export class ListLinksQuery extends CreatedQuery {
  @ApiPropertyOptional({
    description:
      'Text that stands in the slug, the url or the title. Behind the next 10,000 links of the order, a single letter is found where it begins a word, ' +
      'and signs alone, such as `--`, are not found.',
  })
  @Optional()
  @IsText(1, 200)
  q?: string

  @ApiPropertyOptional({ description: 'Only links with this tag.' })
  @Optional()
  @IsText(1, longest.tag)
  tag?: string

  @ApiPropertyOptional({ description: 'Only the link with your own id.' })
  @Optional()
  @IsText(1, longest.externalId)
  external_id?: string

  @ApiPropertyOptional({ description: 'Only links that are, or are not, enabled.' })
  @Optional()
  @IsFlagText()
  enabled?: string

  @ApiPropertyOptional({
    ...enumOf('LinkSort', 'The order of links; a minus means descending.', linkSorts),
    description: 'Absent: `-created_at`, the newest first.',
  })
  @Optional()
  @IsOneOf('invalid_sort', linkSorts)
  sort?: LinkSort
}

/** Where a page ended: the id of its last link, and in a list by clicks also the link's count, if it has one. */
export interface LinkPosition {
  id: string
  total?: number
}
