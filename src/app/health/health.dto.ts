import { ApiProperty, ApiSchema } from '@nestjs/swagger'

import { enumOf } from '../../platform/http/openapi/api-docs.js'
import type { Readiness } from './health.service.js'

const partState = enumOf('PartState', 'Whether a part of the service works.', ['ok', 'failing'])

@ApiSchema({ name: 'Health', description: 'The process runs.' })
export class HealthDto {
  @ApiProperty({
    enum: ['ok'],
    description: 'Always the same: what does not run answers nothing.',
    example: 'ok',
  })
  status!: 'ok'
}

@ApiSchema({ name: 'ReadinessParts', description: 'What the service needs, part by part.' })
class ReadinessPartsDto implements Record<keyof Readiness['parts'], 'ok' | 'failing'> {
  @ApiProperty({ ...partState, description: 'PostgreSQL.', example: 'ok' })
  database!: 'ok' | 'failing'

  @ApiProperty({ ...partState, description: 'Whether the tables are those of this version.', example: 'ok' })
  migrations!: 'ok' | 'failing'

  @ApiProperty({ ...partState, description: 'How processes tell each other of changes.', example: 'ok' })
  change_feed!: 'ok' | 'failing'

  @ApiProperty({
    ...partState,
    description: 'Where jobs wait. Without it the service works more slowly.',
    example: 'ok',
  })
  queue!: 'ok' | 'failing'
}

@ApiSchema({ name: 'Readiness', description: 'Whether the process can work.' })
export class ReadinessDto {
  @ApiProperty({
    ...enumOf('ReadinessStatus', 'Whether requests should be sent here.', ['ok', 'unavailable']),
    description: 'Whether requests should be sent here.',
    example: 'ok',
  })
  status!: Readiness['status']

  @ApiProperty({ type: ReadinessPartsDto, description: 'Each part.' })
  parts!: Readiness['parts']
}
