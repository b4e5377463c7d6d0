import { ApiProperty, ApiSchema } from '@nestjs/swagger'

import { encodeId } from '../../platform/database/ids.js'
import { openEnumSchema } from '../../platform/http/openapi/api-docs.js'
import { roles } from '../../platform/config/platform-settings.js'
import type { Settings } from '../../settings.js'
import type { LiveProcess } from '../processes/processes.repository.js'

const statuses = ['running', 'draining', 'drained'] as const
export type ProcessStatus = (typeof statuses)[number]

@ApiSchema({ name: 'InstanceProcess', description: 'A running process of the service.' })
export class ProcessDto {
  @ApiProperty({ description: 'ID of the process.', example: 'prc_01kaj3w0c5fq4t1n8v6z2b9y7m' })
  id!: string

  @ApiProperty({
    ...openEnumSchema('InstanceProcessRole', 'Role of a process.', roles),
    description: 'Role of the process.',
    example: 'worker',
  })
  role!: Settings['role']

  @ApiProperty({
    ...openEnumSchema(
      'InstanceProcessStatus',
      'Status of a process. `draining`: its worker finishes its requests and takes no more work. `drained`: its worker has finished and can be stopped.',
      statuses,
    ),
    description: 'Status of the process.',
    example: 'running',
  })
  status!: ProcessStatus

  @ApiProperty({ description: 'Version of the process.', example: '0.1.0' })
  version!: string

  @ApiProperty({ description: 'Name of the host or container.', example: 'worker-7c9d' })
  host!: string

  @ApiProperty({ type: 'integer', description: 'Process ID on the host.', example: 1 })
  pid!: number

  @ApiProperty({
    format: 'date-time',
    description: 'Time of the start.',
    example: '2026-01-31T12:00:00.000Z',
  })
  started_at!: string

  @ApiProperty({
    format: 'date-time',
    description: 'Time of the last report. Processes report every 5 seconds.',
    example: '2026-01-31T12:00:00.000Z',
  })
  seen_at!: string

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Number of webhooks that its worker currently sends to. Null for the role `api`.',
    example: 12,
  })
  webhooks!: number | null

  @ApiProperty({
    type: Number,
    nullable: true,
    description:
      'Age in seconds of the oldest click that is not in the database yet. Null for the role `worker`.',
    example: null,
  })
  lag_seconds!: number | null

  static from(process: LiveProcess): ProcessDto {
    const { id, role, version, host, pid, startedAt, seenAt, webhooks, lagSeconds } = process
    return {
      id: encodeId('prc', id),
      role,
      status: getProcessStatus(process),
      version,
      host,
      pid,
      started_at: startedAt.toISOString(),
      seen_at: seenAt.toISOString(),
      webhooks,
      lag_seconds: lagSeconds,
    }
  }
}

function getProcessStatus({ isDraining, webhooks }: LiveProcess): ProcessStatus {
  if (!isDraining) return 'running'
  return webhooks === 0 ? 'drained' : 'draining'
}
