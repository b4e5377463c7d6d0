/** What a workspace may have of something. Parallel requests cannot exceed a quota, because they count one by one. */
import type { EntityManager } from 'typeorm'

import { lockFor } from '../platform/database/locks.js'
import { Problem } from '../platform/http/problems/problem.js'

export interface Quota {
  /** The setting that has the limit. */
  setting: string
  /** The limit in words, such as `100 webhooks`. */
  describe: (limit: number) => string
  /** What the caller can do, as the beginning of a sentence. */
  remedy: string
}

export interface CountedQuota extends Quota {
  /** A SELECT of how much of it the workspace $1 has. */
  count: string
}

/** Throws where the workspace has no room for `more`. Create what was asked for in the same transaction. */
export async function requireRoom(
  tx: EntityManager,
  workspaceId: string,
  quota: CountedQuota,
  limit: number | null,
  more = 1,
): Promise<void> {
  if (limit === null) return
  // Serializes everything in the workspace that counts against the quota, until the transaction ends.
  const key = `${quota.setting} ${workspaceId}`
  await tx.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [lockFor.quotas, key])
  const [row]: { isFull: boolean }[] = await tx.query(
    `SELECT COALESCE((${quota.count}), 0) + $2::bigint > $3::bigint AS "isFull"`,
    [workspaceId, more, limit],
  )
  if (row!.isFull) throw quotaExceeded(quota, limit)
}

export function quotaExceeded({ setting, describe, remedy }: Quota, limit: number): Problem {
  return new Problem('quota_exceeded', {
    detail: `This workspace may have at most ${describe(limit)}. ${remedy}, or ask the operator to raise ${setting}.`,
    more: { limit, setting },
  })
}
