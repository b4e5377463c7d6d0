/**
 * Counts people once a day, for each link and for the workspace. Who was counted is remembered for the last days only.
 * When a click arrives later than that, the visitors of its day are counted anew from the clicks.
 */
import type { EntityManager } from 'typeorm'

import { lowestIdAt } from '../../platform/database/ids.js'
import { dayMs } from '../../platform/util/days.js'
import { grains, timePart } from '../dimensions.js'

export interface LateDay {
  /** A link, or the workspace. */
  subject: string
  day: string
}

/**
 * Counts the visitors of a day anew. When retention has dropped its clicks, nobody knows who came, and everyone who
 * comes later counts as new. `begin` and `end` bound the transactions of the clicks that are being rolled up.
 */
export async function recountVisitors(
  tx: EntityManager,
  workspaceId: string,
  { subject, day }: LateDay,
  transactions: { begin: string; end: string },
): Promise<void> {
  const begin = new Date(day)
  const end = new Date(begin.getTime() + dayMs)
  const people = `(
    SELECT count(DISTINCT visitor) FROM clicks
    WHERE workspace_id = $1 AND ${subject === workspaceId ? 'true' : 'link_id = $2'} AND NOT bot AND tx < $3
      AND tx >= CASE WHEN kept THEN 0 ELSE $8 END
      AND occurred_at >= $4 AND occurred_at < $5 AND (id >= $6 AND id < $7 OR ahead)
  )`
  await tx.query(
    `UPDATE breakdowns SET visitors = CASE WHEN kept THEN 0 ELSE visitors END + ${people}
     FROM (SELECT $4 >= (SELECT kept_from FROM click_retention) AS kept) AS retention
     WHERE subject = $2 AND part = ${timePart} AND grain = ${grains.day} AND at = $4`,
    [
      workspaceId,
      subject,
      transactions.end,
      begin,
      end,
      lowestIdAt(begin),
      lowestIdAt(end),
      transactions.begin,
    ],
  )
}

/** Forgets the visitors of days before `newFrom`. Returns the day since which visitors are remembered. */
export async function forgetVisitors(
  tx: EntityManager,
  workspaceId: string,
  from: string,
  newFrom: Date | null,
): Promise<string> {
  if (newFrom === null || (from !== '-infinity' && new Date(from) >= newFrom)) return from
  await tx.query('DELETE FROM counted_visitors WHERE workspace_id = $1 AND day < $2', [workspaceId, newFrom])
  return newFrom.toISOString()
}
