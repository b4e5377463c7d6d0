/** Counts what still needs the old ENCRYPTION_KEY or TOKEN_PEPPER of a rotation. */
import type { RunningSettings } from '../../settings.js'
import { readSealedBatches, sealedColumns } from './sealed-columns.js'
import type { Queries } from './sealed-columns.js'
import { getSecretFingerprint, Sealing } from './sealing.js'

export interface Dependents {
  kind: string
  count: number
  /**
   * What happens if the previous key is removed: data is lost (`lost`), programs stop working (`refused`), or the
   * effect ends by itself (`temporary`).
   */
  effect: 'lost' | 'refused' | 'temporary'
  /** The last use of any of the tokens. */
  newestUse?: Date | null
}

type EncryptionKeys = Pick<RunningSettings, 'encryptionKey' | 'encryptionKeyPrevious'>

/** If this process does not have the old key, every value that it cannot decrypt counts. */
export async function countSealedDependents(
  db: Queries,
  settings: EncryptionKeys,
  oldFingerprint: string,
): Promise<Dependents[]> {
  const needsOldKey = createOldKeyTest(settings, oldFingerprint)
  const found: Dependents[] = []
  for (const column of sealedColumns) {
    let count = 0
    for await (const rows of readSealedBatches(db, column))
      count += rows.filter(({ id, sealed }) => needsOldKey(sealed, column.getSealContext(id))).length
    found.push({ kind: column.kind, count, effect: 'lost' })
  }
  return found
}

const batchSize = 1_000

/** Reads every stored response, which can take a minute. They expire within a day and are not re-encrypted. */
export async function countStoredResponses(
  db: Queries,
  settings: EncryptionKeys,
  oldFingerprint: string,
): Promise<Dependents> {
  const needsOldKey = createOldKeyTest(settings, oldFingerprint)
  let count = 0
  let after = ['00000000-0000-0000-0000-000000000000', '']
  for (;;) {
    const rows = await db.query<{ tokenId: string; key: string; sealed: Buffer }[]>(
      `SELECT token_id AS "tokenId", key, sealed_body AS sealed FROM idempotent_answers
       WHERE (token_id, key) > ($1, $2) AND created_at > now() - interval '24 hours'
       ORDER BY token_id, key LIMIT $3`,
      [...after, batchSize],
    )
    count += rows.filter((row) => needsOldKey(row.sealed, getStoredResponseContext(row))).length
    if (rows.length < batchSize)
      return { kind: 'stored responses of idempotency keys', count, effect: 'temporary' }
    after = [rows.at(-1)!.tokenId, rows.at(-1)!.key]
  }
}

export function getStoredResponseContext({ tokenId, key }: { tokenId: string; key: string }): string {
  return `answer ${tokenId} ${key}`
}

/** Tokens from before the first rotation have no fingerprint. */
export async function countPepperDependents(db: Queries, oldFingerprint: string): Promise<Dependents[]> {
  const [row] = await db.query<{ tokens: number; newestUse: Date | null; sessions: number; codes: number }[]>(
    `SELECT count(*)::int AS tokens, max(last_used_at) AS "newestUse",
       (SELECT count(*)::int FROM dashboard_sessions
        WHERE pepper_fingerprint = $1 OR pepper_fingerprint IS NULL) AS sessions,
       (SELECT count(*)::int FROM dashboard_codes
        WHERE expires_at > now() AND (pepper_fingerprint = $1 OR pepper_fingerprint IS NULL)) AS codes
     FROM tokens
     WHERE (pepper_fingerprint = $1 OR pepper_fingerprint IS NULL)
       AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
    [oldFingerprint],
  )
  const { tokens, newestUse, sessions, codes } = row!
  return [
    { kind: 'tokens', count: tokens, effect: 'refused', newestUse },
    { kind: 'dashboard sessions', count: sessions, effect: 'temporary' },
    { kind: 'sign-in and portal links', count: codes, effect: 'temporary' },
  ]
}

/** The old key is the current one of a process whose settings are not swapped yet. */
function createOldKeyTest(
  settings: EncryptionKeys,
  oldFingerprint: string,
): (sealed: Buffer, context: string) => boolean {
  const { encryptionKey, encryptionKeyPrevious } = settings
  const sealing = new Sealing(settings)
  let wanted: ReturnType<Sealing['findKey']> = 'unknown'
  if (getSecretFingerprint(encryptionKey) === oldFingerprint) wanted = 'current'
  else if (encryptionKeyPrevious !== null && getSecretFingerprint(encryptionKeyPrevious) === oldFingerprint)
    wanted = 'previous'
  return (sealed, context) => sealing.findKey(sealed, context) === wanted
}
