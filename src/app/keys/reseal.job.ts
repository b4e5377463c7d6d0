/** Re-encrypts data of the previous ENCRYPTION_KEY. Several workers may run this at the same time. */
import { Inject, Injectable, Logger, Module } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { allSettings, SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { resealColumns } from '../../platform/database/sealed-columns.js'
import { getSecretFingerprint, Sealing } from '../../platform/database/sealing.js'
import { isReplacing } from '../../platform/database/secret-fingerprints.js'
import { declareJobs, Handles } from '../../platform/queue/jobs.js'
import type { JobHandler } from '../../platform/queue/jobs.js'
import { QueueWorkModule } from '../../platform/queue/queue.module.js'

declare module '../../platform/queue/jobs.js' {
  interface Jobs {
    /** Does nothing unless a rotation is in progress. */
    'reseal-secrets': Record<string, never>
  }
}

const intervalMs = 10_000

const resealJobs = declareJobs({ 'reseal-secrets': { everyMs: () => intervalMs } })

@Injectable()
@Handles('reseal-secrets')
class ResealJob implements JobHandler<'reseal-secrets'> {
  private readonly logger = new Logger(ResealJob.name)

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly sealing: Sealing,
  ) {}

  async handle(): Promise<void> {
    const { encryptionKey, encryptionKeyPrevious } = this.settings
    if (encryptionKeyPrevious === null) return
    const keys = {
      current: getSecretFingerprint(encryptionKey),
      previous: getSecretFingerprint(encryptionKeyPrevious),
    }
    const { name } = allSettings.encryptionKey
    // A process that used the old key until the end of the rotation may have written values afterwards.
    if (!(await isReplacing(this.dataSource, name, keys, { evenIfRetired: true }))) return
    const count = await resealColumns(this.dataSource, this.sealing)
    if (count > 0) this.logger.log(`Values re-encrypted with the new ENCRYPTION_KEY: ${count}.`)
  }
}

@Module({ imports: [QueueWorkModule], providers: [ResealJob, resealJobs] })
export class KeysWorkerModule {}
