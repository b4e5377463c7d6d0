/**
 * Takes over the clicks from before an installation had analytics. Those that are still there are rolled up like any
 * others. Those that retention had dropped are known from the counters alone: their number is in one row for each link
 * and for the workspace.
 */
import type { EntityManager } from 'typeorm'

import { allowLongerStatements } from '../../platform/database/pg-client.js'
import { grains, timePart } from '../dimensions.js'

/** This runs once for each workspace, and takes longer than a statement of a call may. */
const mayTakeMs = 600_000

export async function finishPreparing(tx: EntityManager, workspaceId: string): Promise<void> {
  await allowLongerStatements(tx, mayTakeMs)
  await tx.query(
    `WITH newer AS (
       SELECT link_id, count(*) AS total, count(*) FILTER (WHERE NOT bot) AS human FROM clicks
       WHERE workspace_id = $1 AND tx >= (SELECT tx FROM analytics_places WHERE workspace_id = $1) GROUP BY link_id
     ), dropped AS (
       SELECT counter.link_id, counter.total - coalesce(rolled.total, 0) - coalesce(newer.total, 0) AS total,
         counter.human - coalesce(rolled.human, 0) - coalesce(newer.human, 0) AS human
       FROM link_counters AS counter LEFT JOIN newer USING (link_id)
       CROSS JOIN LATERAL (
         SELECT sum(total) AS total, sum(human) AS human FROM breakdowns
         WHERE subject = counter.link_id AND part = ${timePart} AND grain = ${grains.day}
       ) AS rolled
       WHERE counter.workspace_id = $1
     ), known AS (
       SELECT link_id AS subject, total, human FROM dropped WHERE total > 0
       UNION ALL
       SELECT $1, sum(total), sum(human) FROM dropped WHERE total > 0 HAVING sum(total) > 0
     )
     INSERT INTO breakdowns (subject, part, grain, at, total, human, visitors, keys, clicks, humans)
     SELECT subject, ${timePart}, ${grains.before}, 'epoch', total, greatest(human, 0), 0, '{}', '{}', '{}' FROM known`,
    [workspaceId],
  )
}
