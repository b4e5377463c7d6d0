/** Which tables a backup contains. */
import type { BackupTable } from './backup-format.js'

/** Runs a statement in the transaction of the caller. */
export type Query = <Row>(sql: string, values?: unknown[]) => Promise<Row[]>

/** A database may also have tables of extensions and of other applications, which are not part of a backup. */
export const backedUpTables = [
  'analytics_places',
  'attempts',
  'audit_log',
  'click_counts',
  'click_days',
  'click_retention',
  'click_targets',
  'click_totals',
  'clicks',
  'counted_visitors',
  'deliveries',
  'delivery_pause',
  'events',
  'idempotent_answers',
  'import_chunks',
  'import_dry_run_keys',
  'import_faults',
  'imports',
  'lane_hours',
  'lanes',
  'link_counters',
  'links',
  'notice_groups',
  'notice_targets',
  'notice_tests',
  'pending_notices',
  'replays',
  'secret_fingerprints',
  'tokens',
  'uncounted_deliveries',
  'webhooks',
  'workspaces',
]

/** The other tables of the service. */
export const excludedTables = [
  // Stored in the header of the backup.
  'migrations',
  'feed_epoch',
  // The state of running processes, and the request counts of current windows.
  'workers',
  'processes',
  'rate_windows',
  // A restored session might have been ended after the backup.
  'dashboard_sessions',
  'dashboard_codes',
  // They are deleted after a day, so that visitor IDs cannot be traced to IP addresses.
  'visitor_salts',
]

/** Migrations insert rows into these tables. A restore replaces them. */
export const filledByMigrations = ['click_retention', 'secret_fingerprints']

const tablesStatement = `
  SELECT class.relname AS name,
    ARRAY(
      SELECT attname::text FROM pg_attribute
      WHERE attrelid = class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum
    ) AS columns,
    ARRAY(
      SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = class.oid ORDER BY 1
    ) AS partitions,
    ARRAY(
      SELECT referenced.relname::text FROM pg_constraint JOIN pg_class AS referenced ON referenced.oid = confrelid
      WHERE conrelid = class.oid AND contype = 'f' AND confrelid <> conrelid
    ) AS references
  FROM pg_class AS class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
    AND relname = ANY ($1)
  ORDER BY (relname <> 'secret_fingerprints'), relname`

/**
 * Lists the backed-up tables that exist, each after the tables that its foreign keys refer to. The fingerprints of the
 * secrets are first, so that a restore checks them before it loads anything else.
 */
export async function listBackupTables(query: Query): Promise<BackupTable[]> {
  const found = await query<BackupTable & { references: string[] }>(tablesStatement, [backedUpTables])
  const sorted: BackupTable[] = []
  const names = new Set<string>()
  while (sorted.length < found.length) {
    const next = found.filter(
      ({ name, references }) => !names.has(name) && references.every((each) => names.has(each)),
    )
    if (next.length === 0) throw new Error('The foreign keys of the tables form a cycle.')
    for (const { name, columns, partitions } of next) {
      names.add(name)
      sorted.push({ name, columns, partitions })
    }
  }
  return sorted
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function columnList({ columns }: BackupTable): string {
  return columns.map(quoteName).join(', ')
}

export function isBackedUp({ name }: BackupTable): boolean {
  return backedUpTables.includes(name)
}

/** Returns whether all names are plain identifiers. The names in a backup become part of SQL statements. */
export function hasOnlyPlainNames(tables: readonly BackupTable[]): boolean {
  return tables.every(({ name, columns, partitions }) =>
    [name, ...columns, ...partitions].every((each) => /^[a-z_][a-z0-9_]*$/.test(each)),
  )
}
