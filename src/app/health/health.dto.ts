import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import { IsOneOf, Optional } from '../../platform/http/input/fields.js'
import { enumOf } from '../../platform/http/openapi/api-docs.js'
import type { ComponentStates } from './health.service.js'

const componentState = enumOf('ComponentState', 'Whether a component works.', ['ok', 'failing'])
const uses = ['api'] as const

@ApiSchema({ name: 'Health', description: 'The process is running.' })
export class HealthDto {
  @ApiProperty({ enum: ['ok'], description: 'Always `ok`.', example: 'ok' })
  status!: 'ok'
}

export class ReadinessQuery {
  @ApiPropertyOptional({
    description:
      '`api`: ready only if API calls can be served. Absent: ready if redirects can be served, even from memory.',
    ...enumOf('ReadinessUse', 'What the process must be ready for.', uses),
  })
  @Optional()
  @IsOneOf('unknown_value', uses)
  for?: (typeof uses)[number]
}

@ApiSchema({ name: 'ComponentStates', description: 'The state of each component that the service uses.' })
class ComponentStatesDto implements ComponentStates {
  @ApiProperty({ ...componentState, description: 'PostgreSQL.', example: 'ok' })
  database!: 'ok' | 'failing'

  @ApiProperty({
    ...componentState,
    description: 'Whether the database has the tables of this version.',
    example: 'ok',
  })
  migrations!: 'ok' | 'failing'

  @ApiProperty({
    ...componentState,
    description: 'The connection that tells processes about changes.',
    example: 'ok',
  })
  change_feed!: 'ok' | 'failing'

  @ApiProperty({
    ...componentState,
    description: 'The queue of jobs. While it fails, deliveries start a few seconds later.',
    example: 'ok',
  })
  queue!: 'ok' | 'failing'
}

@ApiSchema({ name: 'Readiness', description: 'The process is ready.' })
export class ReadinessDto {
  @ApiProperty({ enum: ['ok'], description: 'Always `ok`.', example: 'ok' })
  status!: 'ok'

  @ApiProperty({ type: ComponentStatesDto, description: 'Each component, at most half a second ago.' })
  parts!: ComponentStates
}
