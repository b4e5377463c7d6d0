import { Module } from '@nestjs/common'

import { BackupSchedule } from './backup-schedule.js'

/** Creates backups on schedule. Only with BACKUP_DIR. */
@Module({ providers: [BackupSchedule], exports: [BackupSchedule] })
export class BackupModule {}
