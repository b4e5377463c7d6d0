/** Reports this process to the database while it runs, for the list of processes. */
import { hostname } from 'node:os'

import { Inject, Injectable, Logger, Optional } from '@nestjs/common'
import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common'

import { ClickRecorder } from '../../clicks/click-recorder.js'
import { PROCESS_ID } from '../../platform/database/process-id.js'
import { ThrottledWarning } from '../../platform/util/throttled-warning.js'
import { lastWriteTimeoutMs, runPeriodically, withTimeout } from '../../platform/util/timers.js'
import { version } from '../../platform/util/program.js'
import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { ProcessesRepository } from './processes.repository.js'

const reportEveryMs = 5_000

@Injectable()
export class ProcessReporter implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly warning = new ThrottledWarning(new Logger(ProcessReporter.name))
  private readonly startedAt = performance.now()
  private lastReport: Promise<void> = Promise.resolve()
  private stopReports: () => void = () => undefined

  constructor(
    @Inject(PROCESS_ID) private readonly id: string,
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly processes: ProcessesRepository,
    @Optional() private readonly clicks?: ClickRecorder,
  ) {}

  onApplicationBootstrap(): void {
    this.stopReports = runPeriodically({
      firstWaitMs: 0,
      waitMs: reportEveryMs,
      work: () => withTimeout(this.report(), reportEveryMs, undefined),
      onFailure: (error) => this.warning.warn(`Cannot report this process: ${error.message}`),
    })
  }

  async onModuleDestroy(): Promise<void> {
    this.stopReports()
    // Wait for the running report, which would otherwise insert the process again.
    const removed = this.lastReport.then(() => this.processes.removeProcess(this.id)).catch(() => undefined)
    await withTimeout(removed, lastWriteTimeoutMs, undefined)
  }

  private report(): Promise<void> {
    const { journal } = this.clicks ?? {}
    const sent = this.processes.reportProcess(
      {
        id: this.id,
        role: this.settings.role,
        version,
        host: hostname(),
        pid: process.pid,
        lagSeconds: journal ? journal.getStats().oldestPendingMs / 1000 : null,
      },
      performance.now() - this.startedAt,
    )
    this.lastReport = sent.catch(() => undefined)
    return sent
  }
}
