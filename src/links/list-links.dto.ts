import { ApiPropertyOptional } from '@nestjs/swagger'

import { enumSchema } from '../platform/http/openapi/api-docs.js'
import { IsFlagText, IsOneOf, IsText, Optional } from '../platform/http/input/fields.js'
import { CreatedQuery } from '../platform/http/input/page.js'
import { linkSorts, maxLength } from './link-fields.js'

export type LinkSort = (typeof linkSorts)[number]

export class ListLinksQuery extends CreatedQuery {
  @ApiPropertyOptional({
    description:
      'Text to search for in the slug, URL and title, ignoring case. Beyond the first 10,000 links of the list, ' +
      'a single letter matches only at the start of a word, and punctuation alone, such as `--`, has no matches.',
  })
  @Optional()
  @IsText(1, 200)
  q?: string

  @ApiPropertyOptional({ description: 'Returns only links with this tag.' })
  @Optional()
  @IsText(1, maxLength.tag)
  tag?: string

  @ApiPropertyOptional({ description: 'Returns only the link with this external ID.' })
  @Optional()
  @IsText(1, maxLength.externalId)
  external_id?: string

  @ApiPropertyOptional({ description: 'Returns only enabled (`true`) or only disabled (`false`) links.' })
  @Optional()
  @IsFlagText()
  enabled?: string

  @ApiPropertyOptional({
    ...enumSchema('LinkSort', 'Sort order of links. A minus sign means descending.', linkSorts),
    description: 'Sort order. Default: `-created_at`, newest first.',
  })
  @Optional()
  @IsOneOf('invalid_sort', linkSorts)
  sort?: LinkSort
}

/** Position of the last link of a page. `total` is set only when the list is sorted by clicks. */
export interface LinkPosition {
  id: string
  total?: number
}
