import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The webhooks that take events, and whether a new event may be sent to each of them now. */
export class Subscriptions1767200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE VIEW subscriptions AS
      SELECT webhooks.id AS webhook_id, webhooks.workspace_id, webhooks.events,
        webhooks.status = 'active'
          AND (lanes.paused_until IS NULL OR lanes.paused_until <= now())
          AND (lanes.probe_at IS NULL OR lanes.probe_at <= now()) AS is_ready,
        lanes.failures_in_a_row = 0 AND lanes.last_success_at IS NOT NULL
          AND lanes.last_success_at > COALESCE(lanes.resumed_at, '-infinity') AS is_proven
      FROM webhooks JOIN lanes ON lanes.webhook_id = webhooks.id
      WHERE webhooks.deleted_at IS NULL`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW subscriptions')
  }
}
