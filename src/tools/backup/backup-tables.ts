/** Which tables a backup contains, from the catalog of the database. */
import type { BackupTable } from './backup-format.js'

/** Runs a statement in the transaction of the caller. */
export type Query = <Row>(sql: string, values?: unknown[]) => Promise<Row[]>

/** Not part of a backup. All other tables are, including those of later migrations. */
const excludedTables = [
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
    AND NOT relname = ANY ($1)
  ORDER BY (relname <> 'secret_fingerprints'), relname`

/**
 * Lists the tables, so that a table follows those that its foreign keys refer to. The fingerprints of the secrets are
 * first, so that a restore checks them before it loads anything else.
 */
export async function listBackupTables(query: Query): Promise<BackupTable[]> {
  const found = await query<BackupTable & { references: string[] }>(tablesStatement, [excludedTables])
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

/** Returns whether all names are plain identifiers. The names in a backup become part of SQL statements. */
export function hasOnlyPlainNames(tables: readonly BackupTable[]): boolean {
  return tables.every(({ name, columns, partitions }) =>
    [name, ...columns, ...partitions].every((each) => /^[a-z_][a-z0-9_]*$/.test(each)),
  )
}
