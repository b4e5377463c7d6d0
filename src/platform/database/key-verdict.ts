/** Compares the keys of a process with the fingerprints in the database. */

export interface StoredKeys {
  /** Fingerprints of keys in use, oldest first. During a rotation, there are two. */
  inUse: readonly string[]
  retired: readonly string[]
}

export interface OwnKeys {
  current: string
  previous: string | null
}

export type KeyVerdict =
  | { kind: 'accepted' }
  /** The database has no fingerprint yet. */
  | { kind: 'first' }
  /** The current key is new, and the previous key is the newest key of the database. */
  | { kind: 'rotated' }
  /** The process lacks older keys that data may still depend on. */
  | { kind: 'incomplete'; older: string[] }
  /** The process has only the old key, and other processes use a newer one. */
  | { kind: 'outdated' }
  | { kind: 'retired' }
  | { kind: 'wrong' }

export function judgeKeys({ inUse, retired }: StoredKeys, { current, previous }: OwnKeys): KeyVerdict {
  // Otherwise, a process with the old settings would start a rotation back to the old key.
  if (retired.includes(current)) return { kind: 'retired' }
  const newest = inUse.at(-1)
  if (newest === undefined) return { kind: 'first' }
  if (newest !== current && newest !== previous)
    return { kind: inUse.includes(current) ? 'outdated' : 'wrong' }
  const older = inUse.filter((each) => each !== current && each !== previous)
  if (older.length > 0) return { kind: 'incomplete', older }
  return { kind: inUse.includes(current) ? 'accepted' : 'rotated' }
}
