/**
 * Counts visitors once per day, for each link and for the workspace. The hashes of counted visitors are kept for the
 * last days only. When a click arrives later than that, the visitors of its day are counted again from the clicks.
 */
import type { EntityManager } from 'typeorm'

import { lowestIdAt } from '../../platform/database/ids.js'
import { dayMs } from '../../platform/util/days.js'

export interface LateDay {
  /** A link, or the workspace. */
  subject: string
  day: string
}

/**
 * Counts the visitors of a day again. When retention has dropped its clicks, every later visitor counts as new. `begin`
 * and `end` bound the transactions of this step.
 */
export async function recountVisitors(
  tx: EntityManager,
  workspaceId: string,
  { subject, day }: LateDay,
  { begin, end }: { begin: string; end: string },
): Promise<void> {
  const from = new Date(day)
  const to = new Date(from.getTime() + dayMs)
  await tx.query(
    `UPDATE click_days SET visitors = CASE WHEN is_kept THEN 0 ELSE visitors END + (
       SELECT count(DISTINCT visitor) FROM clicks
       WHERE workspace_id = $1 AND ${subject === workspaceId ? 'true' : 'link_id = $2'} AND NOT bot AND tx < $3
         AND tx >= CASE WHEN is_kept THEN 0 ELSE $8 END
         AND occurred_at >= $4 AND occurred_at < $5 AND (id >= $6 AND id < $7 OR ahead)
     )
     FROM (SELECT $4 >= (SELECT kept_from FROM click_retention) AS is_kept) AS retention
     WHERE subject = $2 AND day = $4`,
    [workspaceId, subject, end, from, to, lowestIdAt(from), lowestIdAt(to), begin],
  )
}

/** Deletes the hashes of days before `newFrom`. Returns the first day whose visitors are remembered. */
export async function forgetVisitors(
  tx: EntityManager,
  workspaceId: string,
  from: string,
  newFrom: Date,
): Promise<string> {
  if (from !== '-infinity' && new Date(from) >= newFrom) return from
  await tx.query('DELETE FROM counted_visitors WHERE workspace_id = $1 AND day < $2', [workspaceId, newFrom])
  return newFrom.toISOString()
}
