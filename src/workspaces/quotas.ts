/** Quotas of workspaces. Checks are serialized, so concurrent requests cannot exceed a quota. */
import type { EntityManager } from 'typeorm'

import { lockFor } from '../platform/database/locks.js'
import { Problem } from '../platform/http/problems/problem.js'

export interface Quota {
  /** Name of the setting. */
  setting: string
  /** Describes the limit, such as `100 webhooks`. */
  describe: (limit: number) => string
  /** What the caller can do, as the first part of a sentence. */
  remedy: string
}

export interface CountedQuota extends Quota {
  /** SELECT that returns the current usage of the workspace $1. */
  count: string
}

/** Throws if `added` would exceed the quota. The caller must insert the new rows in the same transaction. */
export async function requireRoom(
  tx: EntityManager,
  workspaceId: string,
  quota: CountedQuota,
  limit: number | null,
  added = 1,
): Promise<void> {
  if (limit === null) return
  // Serializes all requests that count against this quota of the workspace until the transaction ends.
  const key = `${quota.setting} ${workspaceId}`
  await tx.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [lockFor.quotas, key])
  const [row]: { isExceeded: boolean }[] = await tx.query(
    `SELECT COALESCE((${quota.count}), 0) + $2::bigint > $3::bigint AS "isExceeded"`,
    [workspaceId, added, limit],
  )
  if (row!.isExceeded) throw quotaExceeded(quota, limit)
}

export function quotaExceeded({ setting, describe, remedy }: Quota, limit: number): Problem {
  return new Problem('quota_exceeded', {
    detail: `This workspace can have at most ${describe(limit)}. ${remedy}, or ask the operator to raise ${setting}.`,
    more: { limit, setting },
  })
}
