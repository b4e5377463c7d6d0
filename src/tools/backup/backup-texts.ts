/** What `backup` and `restore` print. */
import { commandText } from '../../platform/util/program.js'
import type { CreatedBackup } from './create-backup.js'
import type { RestoredBackup } from './restore-backup.js'

const mebibyte = 1024 * 1024

export function describeSize(bytes: number): string {
  return bytes < mebibyte ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / mebibyte).toFixed(1)} MiB`
}

export function describeBackup(file: string, { header, rows, bytes }: CreatedBackup): string[] {
  const { clicks } = header.journal
  return [
    `Backed up the database to ${file}: ${describeSize(bytes)}, ${describeRows(rows)}.`,
    `Contains all data as of ${header.takenAt}.`,
    clicks === 0
      ? 'The journals of this data folder contained no clicks.'
      : `At most ${count(clicks, 'click')} in the journals of this data folder may be missing. A running service writes them to the database within seconds; after a crash, run: ${commandText('journal drain')}`,
    'Secrets are not part of the backup. Keep TOKEN_PEPPER and ENCRYPTION_KEY, or the folder "secrets" in DATA_DIR, in a separate place: without them, the backup cannot be restored.',
  ]
}

export function describeRestore(file: string, restored: RestoredBackup): string[] {
  const { header, rows, shownAs, skipped, resumed } = restored
  const { deliveries, webhooks, replays, imports, notices } = resumed
  const lines = [
    `Restored ${file} into ${shownAs}: ${describeRows(rows)}.`,
    `Contains all data as of ${header.takenAt}. Later changes are lost, such as new links and revoked tokens. Existing cursors of feeds stay valid.`,
    'Deliveries that had already succeeded are not sent again.',
  ]
  if (skipped.length > 0)
    lines.push(`Skipped tables that are not part of the service: ${skipped.join(', ')}.`)
  if (deliveries > 0)
    lines.push(
      `${count(deliveries, 'delivery', 'deliveries')} to ${count(webhooks, 'webhook')} were pending and will be sent after the start. Those that the lost database had already sent are sent again, with the same webhook-id. To check first, run \`${commandText('deliveries pause')}\` before you start the service.`,
    )
  else lines.push('No deliveries were pending.')
  if (replays > 0) lines.push(`${count(replays, 'replay')} will continue, and may send deliveries again.`)
  if (imports > 0) lines.push(`${count(imports, 'import')} will continue.`)
  if (notices > 0) lines.push(`${count(notices, 'notice')} will be sent, possibly again.`)
  return lines
}

function describeRows(rows: Record<string, number>): string {
  const { links = 0, clicks = 0, events = 0, deliveries = 0 } = rows
  return [
    count(links, 'link'),
    count(clicks, 'click'),
    count(events, 'event'),
    count(deliveries, 'delivery', 'deliveries'),
  ].join(', ')
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`
}
