/** Creates backups of the embedded database in BACKUP_DIR while the service runs. */
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { Inject, Injectable, Logger } from '@nestjs/common'
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { currentMs, currentTime } from '../../platform/util/clock.js'
import { runPeriodically } from '../../platform/util/timers.js'
import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { describeSize } from './backup-texts.js'
import { createBackup } from './create-backup.js'
import { deleteOldBackups, listScheduledBackups, readCluster, scheduledName } from './scheduled-backups.js'

const afterFailureMs = 10 * 60_000
/** Timers cannot wait longer than 24 days, so the schedule is checked at least this often. */
const maxWaitMs = 3_600_000

@Injectable()
export class BackupSchedule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(BackupSchedule.name)
  private readonly shutdown = new AbortController()
  private running: Promise<void> = Promise.resolve()
  private stop: () => void = () => undefined
  /** When the next backup is due. Without an earlier backup, it is due at the start. */
  private dueAt = currentMs()

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** How long the next backup has been due. */
  get overdueMs(): number {
    return Math.max(0, currentMs() - this.dueAt)
  }

  onApplicationBootstrap(): void {
    const { backupDir, backupEvery } = this.settings
    if (backupDir === null) return
    const everyMs = backupEvery * 1000
    this.stop = runPeriodically({
      firstWaitMs: Math.min(1_000, everyMs),
      waitMs: Math.min(everyMs, maxWaitMs),
      afterFailureMs: Math.min(everyMs, afterFailureMs),
      work: () => (this.running = this.backUpIfDue(resolve(backupDir), everyMs)),
      onFailure: (error) => {
        if (!this.shutdown.signal.aborted) this.logger.error(`The backup failed: ${error.message}`)
      },
    })
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stop()
    this.shutdown.abort()
    await this.running.catch(() => undefined)
  }

  private async backUpIfDue(folder: string, everyMs: number): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const cluster = await readCluster(this.dataSource)
    const [newest] = await listScheduledBackups(folder, cluster)
    if (newest) this.dueAt = newest.time + everyMs
    // A timer may fire slightly early.
    if (newest && currentMs() - newest.time < everyMs * 0.99) return
    const startedAt = performance.now()
    const time = currentTime()
    const { bytes } = await createBackup(this.settings, join(folder, scheduledName(time)), {
      isScheduled: true,
      signal: this.shutdown.signal,
    })
    this.dueAt = time.getTime() + everyMs
    const deleted = await deleteOldBackups(folder, this.settings.backupKeep, cluster)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    this.logger.log(
      `Backed up the database to ${folder} in ${seconds} s: ${describeSize(bytes)}, ${deleted.length} old backups deleted.`,
    )
  }
}
