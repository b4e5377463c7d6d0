import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import { IsOneOf, Optional } from '../../platform/http/input/fields.js'
import { enumSchema } from '../../platform/http/openapi/api-docs.js'
import type { ComponentStates } from './health.service.js'
import { QueryInput } from '../../platform/http/input/input.pipe.js'

const componentState = enumSchema('ComponentState', 'State of a component.', ['ok', 'failing'])
const uses = ['api'] as const

@ApiSchema({ name: 'Health', description: 'State of a running process.' })
export class HealthDto {
  @ApiProperty({ enum: ['ok'], description: 'Always `ok`.', example: 'ok' })
  status!: 'ok'
}

export class ReadinessQuery extends QueryInput {
  @ApiPropertyOptional({
    description:
      'With `api`, the process is ready only if it can serve API requests. By default it is ready if it can serve redirects, even from memory.',
    ...enumSchema('ReadinessUse', 'Purpose the process must be ready for.', uses),
  })
  @Optional()
  @IsOneOf('unknown_value', uses)
  for?: (typeof uses)[number]
}

@ApiSchema({ name: 'ComponentStates', description: 'State of each component of the service.' })
class ComponentStatesDto implements ComponentStates {
  @ApiProperty({ ...componentState, description: 'PostgreSQL connection.', example: 'ok' })
  database!: 'ok' | 'failing'

  @ApiProperty({
    ...componentState,
    description: 'Database migrations. `ok` if the schema is that of this version.',
    example: 'ok',
  })
  migrations!: 'ok' | 'failing'

  @ApiProperty({
    ...componentState,
    description: 'Connection that notifies processes of changes.',
    example: 'ok',
  })
  change_feed!: 'ok' | 'failing'

  @ApiProperty({
    ...componentState,
    description: 'Job queue. While it is failing, deliveries start a few seconds later.',
    example: 'ok',
  })
  queue!: 'ok' | 'failing'
}

@ApiSchema({ name: 'Readiness', description: 'State of a ready process.' })
export class ReadinessDto {
  @ApiProperty({ enum: ['ok'], description: 'Always `ok`.', example: 'ok' })
  status!: 'ok'

  @ApiProperty({
    type: ComponentStatesDto,
    description: 'State of each component, at most half a second old.',
  })
  parts!: ComponentStates
}
