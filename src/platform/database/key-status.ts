/** The state of the rotation of each secret, for `link-service keys` and doctor. */
import { basename } from 'node:path'

import type { Queries } from './sealed-columns.js'
import { countStoredResponses } from './key-dependents.js'
import type { Dependents } from './key-dependents.js'
import { countDependents, judgeSecret, listSecrets } from './secret-fingerprints.js'
import type { Secret } from './secret-fingerprints.js'
import { isStaged } from '../config/secret-files.js'
import { allSettings } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'

/**
 * `none`: no rotation. `prepared`: the next start changes the secret. `added`: a second secret is accepted, but not used
 * yet. `rotating`: the new secret is used, and data may depend on the old one.
 */
type RotationState = 'none' | 'prepared' | 'added' | 'rotating'

export interface KeyStatus {
  secret: Secret
  state: RotationState
  oldFingerprint: string | null
  /** What needs the old secret. Empty unless rotating. */
  dependents: Dependents[]
}

export async function readKeyStatuses(
  db: Queries,
  settings: RunningSettings,
  { withStoredResponses }: { withStoredResponses: boolean },
): Promise<KeyStatus[]> {
  const statuses: KeyStatus[] = []
  for (const secret of listSecrets(settings)) {
    const { stored } = await judgeSecret(db, secret)
    const oldFingerprint = stored.inUse.length > 1 ? stored.inUse[0]! : null
    const dependents =
      oldFingerprint === null ? [] : await countDependents(db, settings, secret, oldFingerprint)
    if (oldFingerprint !== null && withStoredResponses && isEncryptionKey(secret))
      dependents.push(await countStoredResponses(db, settings, oldFingerprint))
    statuses.push({ secret, state: await findState(settings, secret, stored), oldFingerprint, dependents })
  }
  return statuses
}

async function findState(
  { dataDir }: RunningSettings,
  { file, current, previous }: Secret,
  { inUse, retired }: { inUse: readonly string[]; retired: readonly string[] },
): Promise<RotationState> {
  if (inUse.length > 1) return 'rotating'
  if (file !== null && (await isStaged(dataDir, basename(file)))) return 'prepared'
  const isKnown = previous === null || previous === current || retired.includes(previous)
  return isKnown ? 'none' : 'added'
}

export function isEncryptionKey({ setting }: Secret): boolean {
  return setting === allSettings.encryptionKey.name
}

export function hasDependents(
  { dependents }: KeyStatus,
  ...effects: readonly Dependents['effect'][]
): boolean {
  return dependents.some(({ count, effect }) => count > 0 && effects.includes(effect))
}
