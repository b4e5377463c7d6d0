import { text, time, wholeNumber } from './rules.js'
import { optional, setting } from './setting.js'
import type { Declarations } from './setting.js'

/** Scheduled backups of the embedded database. */
export const backupSettings = {
  backupDir: optional(
    'BACKUP_DIR',
    text,
    'Folder in which the service regularly creates backups of the embedded database. Use a different disk from `DATA_DIR`. Default: no backups.',
  ),
  backupEvery: setting('BACKUP_EVERY', time('1s', '30d'), '1d', 'Time between backups in `BACKUP_DIR`.'),
  backupKeep: setting(
    'BACKUP_KEEP',
    wholeNumber(1, 1000),
    '7',
    'Number of backups to keep in `BACKUP_DIR`. Older backups of this database are deleted; other files are not.',
  ),
} satisfies Declarations
