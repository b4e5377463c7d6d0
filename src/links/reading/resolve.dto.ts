import { ApiProperty, ApiPropertyOptional, ApiSchema, getSchemaPath } from '@nestjs/swagger'

import { enumSchema } from '../../platform/http/openapi/api-docs.js'
import { IsText, IsTimestampText, Optional } from '../../platform/http/input/fields.js'
import { LinkDto } from '../link.dto.js'
import { QueryInput } from '../../platform/http/input/input.pipe.js'

const outcomes = ['redirect', 'gone', 'unknown'] as const

export class ResolveQuery extends QueryInput {
  @ApiProperty({ description: 'Path of the short link.', example: 'spring' })
  @IsText(1, 2000)
  slug!: string

  @ApiPropertyOptional({
    description:
      'Time of the visit, which decides whether the link has expired. All other fields of the link have their current values. Default: now.',
  })
  @Optional()
  @IsTimestampText()
  at?: string

  @ApiPropertyOptional({
    description: 'Query string of the visit, without the question mark.',
  })
  @Optional()
  @IsText(1, 8192)
  query?: string
}

@ApiSchema({ name: 'Resolution', description: 'Result of a visit to a short link.' })
export class ResolutionDto {
  @ApiProperty({
    ...enumSchema('ResolutionOutcome', 'Outcome of a visit.', outcomes),
    description: 'Outcome of the visit. Slugs of other workspaces are `unknown`.',
    example: 'redirect',
  })
  outcome!: (typeof outcomes)[number]

  @ApiProperty({ type: 'integer', description: 'HTTP status code that the visitor receives.', example: 302 })
  status!: number

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'URL the visitor is redirected to. Null if there is no redirect.',
    example: 'https://example.com/spring?utm_source=mail',
  })
  location!: string | null

  @ApiProperty({
    description: 'Explanation of the outcome.',
    example: 'The link is enabled and has not expired.',
  })
  reason!: string

  @ApiProperty({
    anyOf: [{ $ref: getSchemaPath(LinkDto) }, { type: 'null' }],
    description: 'The link. Null if it does not exist or was deleted.',
    example: null,
  })
  link!: LinkDto | null
}
