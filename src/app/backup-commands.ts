/** `link-service backup` and `restore`. */
import type { Command } from '@commander-js/extra-typings'

import { exampleText, print } from '../platform/command-line/output.js'
import { readEnvironment } from '../platform/config/env.js'

export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description('Copy the database of a running or stopped service to a file, without the secrets')
    .argument('<file>', 'file to create')
    .addHelpText('after', exampleText('backup /mnt/backups/link-service.backup.gz'))
    .action(backUp)
  program
    .command('restore')
    .description('Restore a backup into an empty database')
    .argument('<file>', 'file that `backup` created')
    .addHelpText('after', exampleText('restore /mnt/backups/link-service.backup.gz'))
    .action(restore)
}

async function backUp(file: string): Promise<void> {
  const { createBackup } = await import('../tools/backup/create-backup.js')
  const { describeBackup } = await import('../tools/backup/backup-texts.js')
  const { findDatabase, requireDatabase } = await import('../platform/database/open-database.js')
  const settings = readEnvironment()
  await requireDatabase(settings)
  const database = await findDatabase(settings, 'command')
  try {
    print(...describeBackup(file, await createBackup(database.settings, file)))
  } finally {
    await database.release()
  }
}

async function restore(file: string): Promise<void> {
  const { restoreBackup } = await import('../tools/backup/restore-backup.js')
  const { describeRestore } = await import('../tools/backup/backup-texts.js')
  print(...describeRestore(file, await restoreBackup(readEnvironment(), file)))
}
