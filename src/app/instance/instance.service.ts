/** Tells which settings the process runs with, and what `doctor` finds. */
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
import { InstanceDto } from './instance.dto.js'

const examinationMayTakeMs = 10_000

@Injectable()
export class InstanceService {
  /** All callers share one examination, even a late one: it costs a dozen queries and a connection to the queue. */
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
    // A failure after all callers have given up concerns nobody, so it must not end the process.
    isDone.catch(() => undefined)
    return { checks, startedAt: currentTime(), isDone }
  }

  private async examine(checks: Check[]): Promise<true> {
    const { settings, source } = this
    const startMigrates = settings.migrate || settings.written['DATABASE_URL'] === undefined
    for await (const check of examineRunning({ source, settings, startMigrates })) checks.push(check)
    return true
  }
}
