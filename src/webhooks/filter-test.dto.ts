import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import { conditions } from '../events/webhook-filter.js'
import type { FilterCondition } from '../events/webhook-filter.js'
import { IsText, Nullable } from '../platform/http/input/fields.js'
import { openEnumSchema } from '../platform/http/openapi/api-docs.js'
import type { BodyExamples } from '../platform/http/openapi/api-docs.js'
import type { InputError } from '../platform/http/problems/problem.js'
import { filterDocs, filterErrors, IsFilter, WebhookFilterInput } from './webhook-filter.dto.js'

@ApiSchema({ name: 'CreateFilterTest', description: 'An event, and the filter to test it with.' })
export class CreateFilterTest {
  static readonly examples: BodyExamples<CreateFilterTest> = {
    minimal: { event_id: 'evt_01kaj4d0qae6svf0k9w3m7x2ht' },
    full: { event_id: 'evt_01kaj4d0qae6svf0k9w3m7x2ht', filter: filterDocs.example },
  }

  static inputErrors({ filter }: { filter?: unknown }): InputError[] {
    return filterErrors(filter)
  }

  @ApiProperty({ description: 'ID of the event.', example: 'evt_01kaj4d0qae6svf0k9w3m7x2ht' })
  @IsText(1, 100)
  event_id!: string

  @ApiPropertyOptional({
    ...filterDocs,
    type: WebhookFilterInput,
    description: 'Filter to test instead of the filter of the webhook. Null for no filter.',
  })
  @Nullable()
  @IsFilter()
  filter?: WebhookFilterInput | null
}

@ApiSchema({ name: 'FilterTest', description: 'Result of a filter for an event.' })
export class FilterTestDto {
  @ApiProperty({ description: 'Whether the filter includes the event.', example: false })
  matches!: boolean

  @ApiProperty({
    ...openEnumSchema(
      'FilterCondition',
      'Condition of a filter. `restricted_tags`: the tags of the restricted token that created the webhook.',
      conditions,
    ),
    nullable: true,
    description: 'First condition that the event does not meet. Null if the filter includes the event.',
    example: 'tags',
  })
  condition!: FilterCondition | null

  @ApiProperty({
    description: 'Human-readable result.',
    example: 'The filter excludes the event: the link has none of the `tags`.',
  })
  message!: string
}
