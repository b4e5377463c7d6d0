import { ApiPropertyOptional } from '@nestjs/swagger'

import { enumOf } from '../platform/http/openapi/api-docs.js'
import { IsFlagText, IsOneOf, IsText, Optional } from '../platform/http/input/fields.js'
import { CreatedQuery } from '../platform/http/input/page.js'
import { linkSorts, longest } from './link-fields.js'

export type LinkSort = (typeof linkSorts)[number]

export class ListLinksQuery extends CreatedQuery {
  @ApiPropertyOptional({
    description:
      'Text in the slug, the URL, or the title, in upper or lower case. Past the first 10,000 links in the order of the list, ' +
      'a single letter is found at the beginning of a word only, and punctuation alone, such as `--`, is not found.',
  })
  @Optional()
  @IsText(1, 200)
  q?: string

  @ApiPropertyOptional({ description: 'Only links with this tag.' })
  @Optional()
  @IsText(1, longest.tag)
  tag?: string

  @ApiPropertyOptional({ description: 'Only the link with this external ID.' })
  @Optional()
  @IsText(1, longest.externalId)
  external_id?: string

  @ApiPropertyOptional({ description: 'Only enabled links, or only disabled ones.' })
  @Optional()
  @IsFlagText()
  enabled?: string

  @ApiPropertyOptional({
    ...enumOf('LinkSort', 'Order of the links. A minus means descending.', linkSorts),
    description: 'Defaults to `-created_at`, newest first.',
  })
  @Optional()
  @IsOneOf('invalid_sort', linkSorts)
  sort?: LinkSort
}

/** The last link of a page. `total` is set in a list by clicks. */
export interface LinkPosition {
  id: string
  total?: number
}
