import { Controller, Get, Header, Inject, Injectable, Module } from '@nestjs/common'
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { RequireScope } from '../../auth/access.js'
import { effectiveSettings } from '../../platform/config/effective-settings.js'
import { SETTINGS } from '../../platform/config/settings.js'
import type { RunningSettings } from '../../platform/config/settings.js'
import { withTimeout } from '../../platform/util/with-timeout.js'
import { warn } from '../../tools/doctor/check.js'
import type { Check } from '../../tools/doctor/check.js'
import { examineRunning } from '../../tools/doctor/doctor.js'
import { InstanceDto } from './instance.dto.js'

const examinationMayTakeMs = 10_000

/** What the process runs with, and what doctor says of it. */
@Injectable()
class InstanceService {
  /** One at a time, also where it outlives those who asked: it costs a dozen queries and a connection to the queue. */
  private running: { checks: Check[]; startedAt: Date; isDone: Promise<true> } | null = null

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    @InjectDataSource() private readonly source: DataSource,
  ) {}

  async get(): Promise<InstanceDto> {
    const { checks, startedAt, isDone } = (this.running ??= this.begin())
    const isWhole = await withTimeout(isDone, examinationMayTakeMs, false)
    const late = warn(`What is missing here did not answer within ${examinationMayTakeMs / 1000} s.`)
    const findings = isWhole ? checks : [...checks, { name: 'doctor', ...late }]
    return InstanceDto.of(effectiveSettings(this.settings), findings, startedAt)
  }

  private begin(): NonNullable<InstanceService['running']> {
    const checks: Check[] = []
    const isDone = this.examine(checks).finally(() => (this.running = null))
    // Where nobody waits any more, nobody hears of a failure either.
    isDone.catch(() => undefined)
    return { checks, startedAt: new Date(), isDone }
  }

  private async examine(checks: Check[]): Promise<true> {
    const { settings, source } = this
    const startMigrates = settings.migrate || settings.written['DATABASE_URL'] === undefined
    for await (const check of examineRunning({ source, settings, startMigrates })) checks.push(check)
    return true
  }
}

@ApiTags('Instance')
@Controller('v1/instance')
class InstanceController {
  constructor(private readonly instance: InstanceService) {}

  @Get()
  @RequireScope('instance:read')
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'getInstance',
    summary: 'Read the settings and what doctor finds',
    description:
      'The settings of the process that answers, each with where it comes from, and what the command `doctor` would say. No secret is shown. The scope is given on the command line only, because the service belongs to no workspace.',
  })
  @ApiOkResponse({ type: InstanceDto, description: 'As it stands now.' })
  get(): Promise<InstanceDto> {
    return this.instance.get()
  }
}

@Module({
  controllers: [InstanceController],
  providers: [InstanceService],
})
export class InstanceModule {}
