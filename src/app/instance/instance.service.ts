/** Returns the settings of the process and the results of `doctor`. */
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { effectiveSettings } from '../../platform/config/effective-settings.js'
import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { currentTime } from '../../platform/util/clock.js'
import { withTimeout } from '../../platform/util/timers.js'
import { warn } from '../../tools/doctor/check.js'
import type { Check } from '../../tools/doctor/check.js'
import { examineRunning } from '../../tools/doctor/doctor.js'
import { ProcessesRepository } from '../processes/processes.repository.js'
import { InstanceDto } from './instance.dto.js'

const checksTimeoutMs = 10_000

@Injectable()
export class InstanceService {
  /** Concurrent callers share one run of the checks, which costs a dozen queries and a connection to the queue. */
  private running: { checks: Check[]; startedAt: Date; isDone: Promise<true> } | null = null

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    @InjectDataSource() private readonly source: DataSource,
    private readonly processes: ProcessesRepository,
  ) {}

  async getInstance(): Promise<InstanceDto> {
    const { checks, startedAt, isDone } = (this.running ??= this.startChecks())
    const isComplete = await withTimeout(isDone, checksTimeoutMs, false)
    const timedOut = warn(`The remaining checks did not finish within ${checksTimeoutMs / 1000} s.`)
    const findings = isComplete ? checks : [...checks, { name: 'doctor', ...timedOut }]
    const processes = await this.processes.findLiveProcesses()
    return InstanceDto.from(effectiveSettings(this.settings), processes, findings, startedAt)
  }

  private startChecks(): NonNullable<InstanceService['running']> {
    const checks: Check[] = []
    const isDone = this.runChecks(checks).finally(() => (this.running = null))
    // Prevents an unhandled rejection if the checks fail after all callers have timed out.
    isDone.catch(() => undefined)
    return { checks, startedAt: currentTime(), isDone }
  }

  private async runChecks(checks: Check[]): Promise<true> {
    const { settings, source } = this
    const startMigrates = settings.migrate || settings.written['DATABASE_URL'] === undefined
    for await (const check of examineRunning({ source, settings, startMigrates })) checks.push(check)
    return true
  }
}
