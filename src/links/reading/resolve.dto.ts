import { ApiProperty, ApiPropertyOptional, ApiSchema, getSchemaPath } from '@nestjs/swagger'

import { enumOf } from '../../platform/http/api-docs.js'
import { IsText, IsTimestampText, Optional } from '../../platform/http/fields.js'
import { LinkDto } from '../link.dto.js'

const outcomes = ['redirect', 'gone', 'unknown'] as const

export class ResolveQuery {
  @ApiProperty({ description: 'The path of the short link.', example: 'spring' })
  @IsText(1, 2000)
  slug!: string

  @ApiPropertyOptional({
    description: 'When the visitor comes; absent: now. The link is taken as it is at present.',
  })
  @Optional()
  @IsTimestampText()
  at?: string

  @ApiPropertyOptional({
    description: 'The query that the visitor comes with, as it stands behind the question mark.',
  })
  @Optional()
  @IsText(1, 8192)
  query?: string
}

@ApiSchema({ name: 'Resolution', description: 'What a visitor would get.' })
export class ResolutionDto {
  @ApiProperty({
    ...enumOf('ResolutionOutcome', 'What a visitor can get.', outcomes),
    description: 'A slug of another workspace is `unknown`.',
    example: 'redirect',
  })
  outcome!: (typeof outcomes)[number]

  @ApiProperty({ type: 'integer', description: 'The HTTP status that the visitor gets.', example: 302 })
  status!: number

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Where the visitor is sent.',
    example: 'https://example.com/spring?utm_source=mail',
  })
  location!: string | null

  @ApiProperty({ description: 'Why, as a sentence.', example: 'The link is enabled and has not expired.' })
  reason!: string

  @ApiProperty({
    anyOf: [{ $ref: getSchemaPath(LinkDto) }, { type: 'null' }],
    description: 'The link; null where there is none, or none any more.',
    example: null,
  })
  link!: LinkDto | null
}
