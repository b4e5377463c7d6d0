/**
 * The database stores a fingerprint of each secret, so that a start with another secret fails. A fingerprint is derived
 * like a key, and does not help anyone guess the secret. During a rotation, a setting has two fingerprints.
 */
import { join } from 'node:path'

import type { DataSource, EntityManager } from 'typeorm'

import { allSettings } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import type { Setting } from '../config/setting.js'
import { StartupError } from '../config/startup-error.js'
import { countPepperDependents, countSealedDependents } from './key-dependents.js'
import type { Dependents } from './key-dependents.js'
import { judgeKeys } from './key-verdict.js'
import type { KeyVerdict, OwnKeys, StoredKeys } from './key-verdict.js'
import { lockFor } from './locks.js'
import type { Queries } from './sealed-columns.js'
import { getSecretFingerprint } from './sealing.js'

export interface Secret extends OwnKeys {
  setting: string
  previousSetting: string
  /** The file in the data folder, or null if the setting is set. */
  file: string | null
  /** The setting, or the file that contains the secret. */
  shownAs: string
  ifLost: string
}

interface JudgedSecret {
  secret: Secret
  stored: StoredKeys
  verdict: KeyVerdict
}

/** Appended to the setting of a fingerprint when its rotation is finished. 0.1.0 ignores such fingerprints. */
const retiredSuffix = ' (retired)'

/**
 * Throws if a secret is not the one that the database was used with. The first start stores the fingerprints, and the
 * first start after a rotation adds the new one.
 */
export async function requireKnownSecrets(source: DataSource, settings: RunningSettings): Promise<void> {
  await source.transaction(async (tx) => {
    // Of two processes that start with different secrets, only one may store its fingerprints.
    await tx.query('SELECT pg_advisory_xact_lock($1)', [lockFor.secrets])
    for (const secret of listSecrets(settings)) await acceptOrThrow(tx, settings, secret)
  })
}

async function acceptOrThrow(tx: EntityManager, settings: RunningSettings, secret: Secret): Promise<void> {
  let judged = await judgeSecret(tx, secret)
  if (judged.verdict.kind === 'incomplete') {
    for (const older of judged.verdict.older) {
      const dependents = await countDependents(tx, settings, secret, older)
      const reason = describeDependents(dependents.filter(({ effect }) => effect !== 'temporary'))
      if (reason !== null) throw new StartupError(createMissingPreviousText(secret, reason))
      await retireKey(tx, secret.setting, older)
    }
    judged = await judgeSecret(tx, secret)
  }
  const problem = explainProblem(judged)
  if (problem !== null) throw new StartupError(problem)
  if (judged.verdict.kind !== 'accepted') await storeFingerprint(tx, secret)
}

/** Returns why a secret prevents the start, or null. */
export async function findSecretProblem(db: Queries, settings: RunningSettings): Promise<string | null> {
  for (const secret of listSecrets(settings)) {
    const judged = await judgeSecret(db, secret)
    const problem = explainProblem(judged)
    if (problem !== null) return problem
  }
  return null
}

/** A fingerprint as stored. The oldest one of a setting comes first. */
export interface StoredFingerprint {
  /** The name of the setting, with `retiredSuffix` once the rotation is finished. */
  setting: string
  fingerprint: string
}

/** Returns a secret that cannot be used with these fingerprints, or null. */
export function findUnknownSecret(
  stored: readonly StoredFingerprint[],
  settings: RunningSettings,
): Secret | null {
  const hasProblem = (secret: Secret) => explainProblem(judgeFingerprints(secret, stored)) !== null
  return listSecrets(settings).find(hasProblem) ?? null
}

export async function judgeSecret(db: Queries, secret: Secret): Promise<JudgedSecret> {
  const rows = await db.query<StoredFingerprint[]>(
    `SELECT setting, fingerprint FROM secret_fingerprints WHERE setting = ANY($1) ORDER BY created_at`,
    [[secret.setting, secret.setting + retiredSuffix]],
  )
  return judgeFingerprints(secret, rows)
}

function judgeFingerprints(secret: Secret, rows: readonly StoredFingerprint[]): JudgedSecret {
  const find = (name: string) =>
    rows.filter(({ setting }) => setting === name).map(({ fingerprint }) => fingerprint)
  const stored = { inUse: find(secret.setting), retired: find(secret.setting + retiredSuffix) }
  return { secret, stored, verdict: judgeKeys(stored, secret) }
}

function explainProblem({ secret, verdict }: JudgedSecret): string | null {
  const { setting, previousSetting, shownAs, ifLost } = secret
  switch (verdict.kind) {
    case 'wrong':
      return `${shownAs} does not match the fingerprint in the database. Restore the original secret. If it is lost, run \`link-service accept-secrets\`, then ${ifLost}.`
    case 'outdated':
      return `${shownAs} is the previous secret, and this database already uses a newer one. Set ${setting} to the newer secret and ${previousSetting} to this one.`
    case 'retired':
      return `${shownAs} was replaced by a key rotation that is finished. Set ${setting} to the newer secret.`
    case 'incomplete':
      return createMissingPreviousText(secret, 'a rotation is not finished')
    case 'accepted':
    case 'first':
    case 'rotated':
      return null
  }
}

function createMissingPreviousText({ previousSetting, file }: Secret, reason: string): string {
  const previous = file === null ? previousSetting : `The file ${file}-previous`
  return `${previous} is missing, and the database still needs the previous secret: ${reason}. Restore it, and see \`link-service keys status\`.`
}

/** Counts what depends on an older key, except stored responses, which expire within a day. */
export function countDependents(
  db: Queries,
  settings: RunningSettings,
  { setting }: Secret,
  oldFingerprint: string,
): Promise<Dependents[]> {
  return setting === allSettings.tokenPepper.name
    ? countPepperDependents(db, oldFingerprint)
    : countSealedDependents(db, settings, oldFingerprint)
}

/** Returns a list such as `3 webhook secrets, 2 tokens (last used …)`, or null if nothing depends on the key. */
export function describeDependents(dependents: readonly Dependents[]): string | null {
  const texts = dependents
    .filter(({ count }) => count > 0)
    .map(({ kind, count, newestUse }) => {
      if (newestUse === undefined) return `${kind}: ${count}`
      return `${kind}: ${count} (${newestUse ? `last used ${newestUse.toISOString()}` : 'never used'})`
    })
  return texts.length > 0 ? texts.join(', ') : null
}

/** Ends a rotation. A start with the older key as the current one is then rejected. */
export async function retireKey(tx: EntityManager, setting: string, fingerprint: string): Promise<void> {
  await tx.query('UPDATE secret_fingerprints SET setting = $3 WHERE setting = $1 AND fingerprint = $2', [
    setting,
    fingerprint,
    setting + retiredSuffix,
  ])
  // Tokens without a fingerprint must not count as dependents of the next rotation.
  if (setting === allSettings.tokenPepper.name)
    await tx.query('UPDATE tokens SET pepper_fingerprint = $1 WHERE pepper_fingerprint IS NULL', [
      fingerprint,
    ])
}

/**
 * Returns whether data of the previous key must be converted to the current one. False while this process still uses
 * the older key, because processes with different settings would convert the data back and forth. With
 * `evenIfRetired`, also true after the rotation is finished.
 */
export async function isReplacing(
  db: Queries,
  setting: string,
  keys: OwnKeys,
  { evenIfRetired }: { evenIfRetired: boolean },
): Promise<boolean> {
  const [row] = await db.query<{ isReplacing: boolean }[]>(
    `SELECT EXISTS (
       SELECT FROM secret_fingerprints newer, secret_fingerprints older
       WHERE newer.setting = $1 AND newer.fingerprint = $2
         AND (older.setting = $1 OR ($4 AND older.setting = $1 || ' (retired)')) AND older.fingerprint = $3
         AND older.created_at < newer.created_at
     ) AS "isReplacing"`,
    [setting, keys.current, keys.previous, evenIfRetired],
  )
  return row!.isReplacing
}

/**
 * Stores the fingerprints of the current secrets, and deletes those in use whose secrets this process does not have.
 * The previous secret of a rotation stays in use, because data may depend on it.
 */
export async function acceptSecrets(source: DataSource, settings: RunningSettings): Promise<void> {
  await source.transaction(async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [lockFor.secrets])
    for (const secret of listSecrets(settings)) {
      await tx.query(
        `DELETE FROM secret_fingerprints
         WHERE setting = $1 AND fingerprint <> $2 AND fingerprint IS DISTINCT FROM $3
           OR setting = $1 || ' (retired)' AND fingerprint = $2`,
        [secret.setting, secret.current, secret.previous],
      )
      const { stored } = await judgeSecret(tx, secret)
      if (!stored.inUse.includes(secret.current)) await storeFingerprint(tx, secret)
    }
  })
}

/** A newer key has a later time, even if the clock was set back. */
async function storeFingerprint(tx: EntityManager, { setting, current }: Secret): Promise<void> {
  await tx.query(
    `INSERT INTO secret_fingerprints (setting, fingerprint, created_at)
     SELECT $1::text, $2, GREATEST(now(), max(created_at) + interval '1 ms')
     FROM secret_fingerprints WHERE setting IN ($1::text, $1::text || ' (retired)')`,
    [setting, current],
  )
}

export function listSecrets(settings: RunningSettings): Secret[] {
  const values = settings as unknown as Readonly<Record<string, string | null>>
  return Object.entries<Setting<unknown>>(allSettings).flatMap(([key, { name, generated }]) => {
    if (!generated) return []
    const file = settings.written[name] ? null : join(settings.dataDir, 'secrets', generated.file)
    const previous = values[`${key}Previous`] ?? null
    return {
      setting: name,
      previousSetting: `${name}_PREVIOUS`,
      file,
      shownAs: file === null ? name : `The secret in ${file}`,
      current: getSecretFingerprint(values[key]!),
      previous: previous === null ? null : getSecretFingerprint(previous),
      ifLost: generated.ifLost,
    }
  })
}
