/**
 * The database stores a fingerprint of each secret, so that a start with another secret fails. A fingerprint is derived
 * like a key, and does not help to guess the secret. A setting may have several fingerprints.
 */
import { join } from 'node:path'

import type { DataSource, EntityManager } from 'typeorm'

import { allSettings } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import type { Setting } from '../config/setting.js'
import { StartupError } from '../config/startup-error.js'
import { lockFor } from './locks.js'
import { deriveKey } from './sealing.js'

interface Secret {
  setting: string
  /** The setting, or the file that contains the secret. */
  shownAs: string
  fingerprint: string
  ifLost: string
}

type Fingerprint = Pick<Secret, 'setting' | 'fingerprint'>

/** Throws if a secret is not the one that the database was used with. The first start stores the fingerprints. */
export async function requireKnownSecrets(source: DataSource, settings: RunningSettings): Promise<void> {
  await source.transaction((tx) => storeMissing(tx, settings))
  const wrong = await findWrongSecret(source, settings)
  if (wrong)
    throw new StartupError(
      `${wrong.shownAs} does not match the fingerprint in the database. Restore the original secret. If it is lost, run \`link-service accept-secrets\`, then ${wrong.ifLost}.`,
    )
}

export async function findWrongSecret(
  source: Pick<DataSource, 'query'>,
  settings: RunningSettings,
): Promise<Secret | null> {
  return findUnknownSecret(
    await source.query<Fingerprint[]>('SELECT setting, fingerprint FROM secret_fingerprints'),
    settings,
  )
}

/** Returns a secret that has none of the fingerprints. */
export function findUnknownSecret(stored: readonly Fingerprint[], settings: RunningSettings): Secret | null {
  const isWrong = ({ setting, fingerprint }: Secret) => {
    const fingerprints = stored.filter((each) => each.setting === setting)
    return fingerprints.length > 0 && !fingerprints.some((each) => each.fingerprint === fingerprint)
  }
  return listSecrets(settings).find(isWrong) ?? null
}

/** Replaces the stored fingerprints with those of the current secrets. */
export async function acceptSecrets(source: DataSource, settings: RunningSettings): Promise<void> {
  await source.transaction(async (tx) => {
    await tx.query('DELETE FROM secret_fingerprints')
    await storeMissing(tx, settings)
  })
}

async function storeMissing(tx: EntityManager, settings: RunningSettings): Promise<void> {
  // Of two processes that start with different secrets, only one may store its fingerprints.
  await tx.query('SELECT pg_advisory_xact_lock($1)', [lockFor.secrets])
  for (const { setting, fingerprint } of listSecrets(settings))
    await tx.query(
      `INSERT INTO secret_fingerprints (setting, fingerprint)
       SELECT $1::text, $2 WHERE NOT EXISTS (SELECT FROM secret_fingerprints WHERE setting = $1)`,
      [setting, fingerprint],
    )
}

function listSecrets(settings: RunningSettings): Secret[] {
  const values = settings as unknown as Readonly<Record<string, string>>
  return Object.entries<Setting<unknown>>(allSettings).flatMap(([key, { name, generated }]) => {
    if (!generated) return []
    const file = join(settings.dataDir, 'secrets', generated.file)
    return {
      setting: name,
      shownAs: settings.written[name] ? name : `The secret in ${file}`,
      fingerprint: deriveKey(values[key]!, 'fingerprint').toString('base64url'),
      ifLost: generated.ifLost,
    }
  })
}
