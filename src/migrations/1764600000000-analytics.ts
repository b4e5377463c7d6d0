import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Counted clicks, which analytics read in place of the clicks themselves. */
export class Analytics1764600000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    // One row for each subject (a link or a workspace), part (a dimension, or all of them packed), grain and moment.
    // Rows are rewritten while their day lasts: room in the page keeps the new version beside the old one.
    await db.query(`
      CREATE TABLE breakdowns (
        subject uuid NOT NULL,
        part smallint NOT NULL,
        grain smallint NOT NULL,
        at timestamptz NOT NULL,
        total integer NOT NULL,
        human integer NOT NULL,
        visitors integer NOT NULL,
        keys text[] NOT NULL,
        clicks integer[] NOT NULL,
        humans integer[] NOT NULL,
        PRIMARY KEY (subject, part, grain, at)
      ) WITH (fillfactor = 85)`)
    // Up to which transaction the clicks of a workspace are in its breakdowns.
    await db.query(`
      CREATE TABLE analytics_places (
        workspace_id uuid PRIMARY KEY,
        tx bigint NOT NULL,
        first_tx bigint NOT NULL,
        goal_tx bigint NOT NULL,
        prepared_at timestamptz,
        visitors_from timestamptz NOT NULL,
        months_until timestamptz,
        months_link uuid NOT NULL
      )`)
    // Visitors who were counted already, for the days that may still get clicks.
    await db.query(`
      CREATE TABLE counted_visitors (
        workspace_id uuid NOT NULL,
        day timestamptz NOT NULL,
        subject uuid NOT NULL,
        visitor uuid NOT NULL,
        PRIMARY KEY (workspace_id, day, subject, visitor)
      )`)
    await db.query(`CREATE TABLE click_retention (kept_from timestamptz NOT NULL)`)

    // These indexes have the order of the feed without the ids. The clicks of one transaction share one entry, so an
    // index takes a twentieth of the room. Building them stops the ingester, not the redirects: about five seconds for
    // each million clicks.
    await db.query(`CREATE INDEX clicks_by_transaction ON clicks (workspace_id, tx)`)
    await db.query(`CREATE INDEX clicks_by_link_transaction ON clicks (link_id, tx)`)
    await db.query(`DROP INDEX clicks_feed, clicks_feed_by_link`)

    await this.takeOver(db)
  }

  /** Clicks that are there already are rolled up in the background, from the first transaction on. */
  private async takeOver(db: QueryRunner): Promise<void> {
    await db.query(`
      INSERT INTO analytics_places (workspace_id, tx, first_tx, goal_tx, visitors_from, months_link)
      SELECT workspace_id, first_tx, first_tx, pg_snapshot_xmin(pg_current_snapshot())::text::bigint, '-infinity',
        '00000000-0000-0000-0000-000000000000'
      FROM (SELECT DISTINCT workspace_id FROM link_counters) AS clicked
      CROSS JOIN LATERAL (
        SELECT coalesce(min(tx), 0) AS first_tx FROM clicks WHERE clicks.workspace_id = clicked.workspace_id
      ) AS first`)
    // When no link is older than the oldest partition, no clicks were ever dropped.
    await db.query(`
      INSERT INTO click_retention (kept_from)
      SELECT CASE WHEN (SELECT min(created_at) FROM links) < oldest THEN oldest ELSE '-infinity' END
      FROM (
        SELECT min(right(relname, 8)::date)::timestamp AT TIME ZONE 'UTC' AS oldest
        FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = 'clicks'::regclass
      ) AS partitions`)
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only; restore a backup to go back.'))
  }
}
