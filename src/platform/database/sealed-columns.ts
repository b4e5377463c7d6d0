/** Every column with values that are re-encrypted after ENCRYPTION_KEY was changed. */
import type { Sealing } from './sealing.js'

/** The contexts with which the features seal the values. */
export const getWebhookSecretContext = (webhookId: string): string => `secret of webhook ${webhookId}`
export const getWebhookHeadersContext = (webhookId: string): string => `headers of webhook ${webhookId}`
export const getNoticeTargetContext = (targetId: string): string => `address of notice target ${targetId}`

export interface SealedColumn {
  kind: string
  getSealContext: (id: string) => string
  /** Reads the values of up to $2 rows after the ID $1. */
  read: string
  /** Replaces the value $2 of the row $1 with $3, unless another process has changed it. */
  replace: string
}

export const sealedColumns: readonly SealedColumn[] = [
  {
    kind: 'webhook secrets',
    getSealContext: getWebhookSecretContext,
    read: 'SELECT id, sealed_secret AS sealed FROM webhooks WHERE id > $1 ORDER BY id LIMIT $2',
    replace: 'UPDATE webhooks SET sealed_secret = $3 WHERE id = $1 AND sealed_secret = $2',
  },
  {
    kind: 'old webhook secrets',
    getSealContext: getWebhookSecretContext,
    read: `
      SELECT id, sealed_old_secret AS sealed FROM webhooks
      WHERE id > $1 AND sealed_old_secret IS NOT NULL ORDER BY id LIMIT $2`,
    replace: 'UPDATE webhooks SET sealed_old_secret = $3 WHERE id = $1 AND sealed_old_secret = $2',
  },
  {
    kind: 'custom headers of webhooks',
    getSealContext: getWebhookHeadersContext,
    read: `
      SELECT id, sealed_headers AS sealed FROM webhooks
      WHERE id > $1 AND sealed_headers IS NOT NULL ORDER BY id LIMIT $2`,
    replace: 'UPDATE webhooks SET sealed_headers = $3 WHERE id = $1 AND sealed_headers = $2',
  },
  {
    kind: 'addresses of notice targets',
    getSealContext: getNoticeTargetContext,
    read: 'SELECT id, sealed_address AS sealed FROM notice_targets WHERE id > $1 ORDER BY id LIMIT $2',
    replace: 'UPDATE notice_targets SET sealed_address = $3 WHERE id = $1 AND sealed_address = $2',
  },
]

/** A data source or a transaction. */
export interface Queries {
  query<T>(sql: string, values?: unknown[]): Promise<T>
}

export interface SealedRow {
  id: string
  sealed: Buffer
}

const batchSize = 500
const lowestId = '00000000-0000-0000-0000-000000000000'

/** Reads the values of a column in batches. */
export async function* readSealedBatches(db: Queries, column: SealedColumn): AsyncGenerator<SealedRow[]> {
  let after = lowestId
  for (;;) {
    const rows = await db.query<SealedRow[]>(column.read, [after, batchSize])
    if (rows.length > 0) yield rows
    if (rows.length < batchSize) return
    after = rows.at(-1)!.id
  }
}

/**
 * Re-encrypts the values of the previous key. Safe to run in several processes and to kill at any point: each value
 * is replaced in one statement, and stays readable with either key.
 */
export async function resealColumns(db: Queries, sealing: Sealing): Promise<number> {
  let count = 0
  for (const column of sealedColumns)
    for await (const rows of readSealedBatches(db, column))
      for (const { id, sealed } of rows) {
        const context = column.getSealContext(id)
        if (sealing.findKey(sealed, context) !== 'previous') continue
        const resealed = sealing.seal(sealing.open(sealed, context), context)
        const [, affected] = await db.query<[unknown[], number]>(column.replace, [id, sealed, resealed])
        count += affected
      }
  return count
}
