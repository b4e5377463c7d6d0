import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Stores analytics as rows: one for each value of a dimension, instead of arrays of all values of a day. */
export class AnalyticsRows1766200000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await this.createTables(db)
    await this.convertTotals(db)
    await this.convertCounts(db)
    await this.countDroppedClicks(db)
    await db.query(`DROP TABLE breakdowns`)
    await db.query(`
      ALTER TABLE analytics_places
        ADD COLUMN step integer NOT NULL DEFAULT 1,
        DROP COLUMN first_tx, DROP COLUMN goal_tx, DROP COLUMN prepared_at,
        DROP COLUMN months_until, DROP COLUMN months_link, DROP COLUMN sums_until`)
  }

  /** A subject is a link or a workspace. */
  private async createTables(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TYPE click_dimension AS ENUM ('country', 'region', 'city', 'referrer_host', 'browser', 'os', 'device',
        'language', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'source', 'link')`)
    await db.query(`CREATE TYPE click_grain AS ENUM ('hour', 'day', 'month')`)
    // Links have days and months, workspaces have hours too. Clicks without a value have no row. Clicks of values beyond
    // the cap have the empty key. `since` is the roller's step that added the row of a day.
    await db.query(`
      CREATE TABLE click_counts (
        subject uuid NOT NULL,
        at timestamptz NOT NULL,
        dimension click_dimension NOT NULL,
        grain click_grain NOT NULL,
        clicks integer NOT NULL,
        human integer NOT NULL,
        key text NOT NULL,
        since integer,
        PRIMARY KEY (subject, dimension, grain, at, key)
      ) WITH (fillfactor = 85)`)
    await db.query(`
      CREATE INDEX click_counts_truncated ON click_counts (subject, dimension, at) WHERE grain = 'day' AND key = ''`)
    // Quarters of an hour, because time zones differ from UTC by such.
    await db.query(`
      CREATE TABLE click_totals (
        subject uuid NOT NULL,
        at timestamptz NOT NULL,
        clicks integer NOT NULL,
        human integer NOT NULL,
        PRIMARY KEY (subject, at)
      ) WITH (fillfactor = 85)`)
    // The day -infinity has clicks that were dropped before there were analytics. `own_values` is the number of values
    // that have their own count, by dimension.
    await db.query(`
      CREATE TABLE click_days (
        subject uuid NOT NULL,
        day timestamptz NOT NULL,
        clicks integer NOT NULL,
        human integer NOT NULL,
        visitors integer NOT NULL,
        own_values jsonb NOT NULL,
        PRIMARY KEY (subject, day)
      ) WITH (fillfactor = 85)`)
  }

  /** In the old table part 0 has totals and quarters of an hour, and grain 4 the dropped clicks. */
  private async convertTotals(db: QueryRunner): Promise<void> {
    await db.query(`
      INSERT INTO click_days (subject, day, clicks, human, visitors, own_values)
      SELECT subject, CASE grain WHEN 4 THEN '-infinity' ELSE at END, total, human, visitors, '{}'
      FROM breakdowns WHERE part = 0 AND grain IN (2, 4)`)
    await db.query(`
      INSERT INTO click_totals (subject, at, clicks, human)
      SELECT subject, at + substr(key, 2)::int * interval '15 minutes', clicks, human FROM (
        SELECT subject, at, unnest(keys) AS key, unnest(clicks) AS clicks, unnest(humans) AS human
        FROM breakdowns WHERE part = 0 AND grain = 2
      ) AS quarters`)
  }

  /** Old keys begin with the dimension as a letter. Hours have grain 1, days 2. */
  private async convertCounts(db: QueryRunner): Promise<void> {
    await db.query(`
      INSERT INTO click_counts (subject, dimension, grain, at, key, clicks, human, since)
      SELECT subject, (enum_range(NULL::click_dimension))[ascii(key) - 64], CASE grain WHEN 1 THEN 'hour' ELSE 'day' END::click_grain, at,
        CASE left(key, 1) WHEN 'O' THEN encode(decode(substr(key, 2), 'base64'), 'hex')::uuid::text ELSE substr(key, 2) END,
        clicks, human, CASE grain WHEN 2 THEN 0 END
      FROM (
        SELECT subject, grain, at, unnest(keys) AS key, unnest(clicks) AS clicks, unnest(humans) AS human
        FROM breakdowns WHERE part > 0 AND grain IN (1, 2)
      ) AS entries WHERE length(key) > 1`)
    await db.query(`
      INSERT INTO click_counts (subject, dimension, grain, at, key, clicks, human)
      SELECT subject, dimension, 'month', date_trunc('month', at, 'UTC'), key, sum(clicks), sum(human)
      FROM click_counts WHERE grain = 'day' GROUP BY 1, 2, 4, 5`)
    await db.query(`
      UPDATE click_days SET own_values = counted.own_values
      FROM (
        SELECT subject, at, jsonb_object_agg(dimension, own) AS own_values
        FROM (
          SELECT subject, at, dimension, count(*) AS own FROM click_counts
          WHERE grain = 'day' AND dimension <> 'link' GROUP BY 1, 2, 3
        ) AS own_values GROUP BY subject, at
      ) AS counted WHERE counted.subject = click_days.subject AND counted.at = day`)
  }

  /** In workspaces that were not prepared yet, the counters also have clicks that retention dropped. */
  private async countDroppedClicks(db: QueryRunner): Promise<void> {
    await db.query(`
      WITH newer AS (
        SELECT link_id, count(*) AS total, count(*) FILTER (WHERE NOT bot) AS human
        FROM clicks JOIN analytics_places AS place USING (workspace_id)
        WHERE prepared_at IS NULL AND clicks.tx >= place.tx GROUP BY link_id
      ), dropped AS (
        SELECT link_id, workspace_id, counter.total - coalesce(days.clicks, 0) - coalesce(newer.total, 0) AS clicks,
          greatest(counter.human - coalesce(days.human, 0) - coalesce(newer.human, 0), 0) AS human
        FROM link_counters AS counter JOIN analytics_places USING (workspace_id) LEFT JOIN newer USING (link_id)
        LEFT JOIN (
          SELECT subject AS link_id, sum(clicks) AS clicks, sum(human) AS human FROM click_days GROUP BY subject
        ) AS days USING (link_id)
        WHERE prepared_at IS NULL
      )
      INSERT INTO click_days (subject, day, clicks, human, visitors, own_values)
      SELECT subject, '-infinity', sum(clicks), sum(human), 0, '{}'
      FROM dropped CROSS JOIN LATERAL (VALUES (link_id), (workspace_id)) AS counted (subject)
      WHERE clicks > 0 GROUP BY subject`)
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only; restore a backup to go back.'))
  }
}
