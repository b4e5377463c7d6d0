import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Counts the deliveries of each lane as they are created, so that nothing counts a backlog. The count of what exists
 * takes about a second for each two million pending deliveries.
 */
export class CountedDeliveries1766400000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE lanes ADD COLUMN emitted bigint NOT NULL DEFAULT 0`)
    // New deliveries add a row here, because transactions that all update the row of the lane would wait for each other.
    await db.query(`CREATE TABLE uncounted_deliveries (webhook_id uuid NOT NULL, count integer NOT NULL)`)
    await db.query(`CREATE INDEX uncounted_deliveries_by_webhook ON uncounted_deliveries (webhook_id)`)
    await db.query(
      `ALTER TABLE uncounted_deliveries SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000)`,
    )
    await db.query(`
      UPDATE lanes SET emitted = succeeded + failed + canceled
        + (SELECT count(*) FROM deliveries WHERE deliveries.webhook_id = lanes.webhook_id AND status = 'pending')`)
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only; restore a backup to go back.'))
  }
}
