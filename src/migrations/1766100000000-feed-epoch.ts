import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Keeps which cluster the transaction numbers of the feeds come from, and the fingerprints of the secrets. If the
 * database was restored into this cluster before, its rows may be ahead, and the numbers continue after them.
 */
export class FeedEpoch1766100000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE feed_epoch (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
        cluster bigint NOT NULL,
        first_tx bigint NOT NULL
      )`)
    await db.query(`
      INSERT INTO feed_epoch (cluster, first_tx)
      SELECT system_identifier,
        CASE WHEN highest.tx >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint THEN 2^44 ELSE 0 END
      FROM pg_control_system(), (
        SELECT max(tx) FROM analytics_places
        UNION ALL SELECT max(after_tx) FROM event_replays
        UNION ALL SELECT max(latest.tx) FROM workspaces CROSS JOIN LATERAL (
          SELECT tx FROM events WHERE workspace_id = workspaces.id ORDER BY tx DESC LIMIT 1) AS latest
        UNION ALL SELECT max(latest.tx) FROM workspaces CROSS JOIN LATERAL (
          SELECT tx FROM clicks WHERE workspace_id = workspaces.id ORDER BY tx DESC LIMIT 1) AS latest
      ) AS highest (tx)
      ORDER BY highest.tx DESC NULLS LAST LIMIT 1`)
    await db.query(`
      CREATE TABLE secret_fingerprints (
        setting text NOT NULL,
        fingerprint text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (setting, fingerprint)
      )`)
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only; restore a backup to go back.'))
  }
}
