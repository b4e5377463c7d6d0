import type { QueryConfig } from 'pg'
import type { EntityManager } from 'typeorm'

/**
 * Whoever changes deliveries locks their lanes first, in the order of their ids, so that nobody waits in a circle.
 * It is a statement of its own: PostgreSQL 18.4 crashes when a row has to be waited for in a statement that also prunes
 * partitions (see docs/decisions/0007-lanes-locked-first.md).
 *
 * What follows in the transaction uses indexes. It is planned once for each connection, perhaps while the tables are
 * small enough to be read as a whole for each lane, and they may be large before PostgreSQL plans it again.
 */
export function lanesLock(webhookIds: readonly string[]): QueryConfig & { values: unknown[] } {
  return {
    text: `WITH plans AS MATERIALIZED (SELECT set_config('enable_seqscan', 'off', true))
      SELECT 1 FROM plans, lanes WHERE webhook_id = ANY ($1) ORDER BY webhook_id FOR UPDATE OF lanes`,
    values: [webhookIds],
  }
}

export async function lockLanes(tx: EntityManager, webhookIds: readonly string[]): Promise<void> {
  const { text, values } = lanesLock(webhookIds)
  await tx.query(text, values)
}

/** False when another transaction has it. */
export async function lockFreeLane(tx: EntityManager, webhookId: string): Promise<boolean> {
  const rows: unknown[] = await tx.query('SELECT 1 FROM lanes WHERE webhook_id = $1 FOR UPDATE SKIP LOCKED', [
    webhookId,
  ])
  return rows.length > 0
}
