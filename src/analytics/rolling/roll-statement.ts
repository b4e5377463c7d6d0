/**
 * The statement that counts clicks: it adds the clicks of a range of transactions to the counts of their links and of
 * the workspace. The inserts come last, because they assign the transaction ID, for which feeds wait.
 */
import { dimensions, keyExpression } from '../dimensions.js'

const values = dimensions
  .map((dimension) => `('${dimension}'::click_dimension, ${keyExpression(dimension)})`)
  .join(', ')

/**
 * $1 is the workspace, $2 and $3 the range of transactions, $4 the number of this step, $5 the maximum number of
 * separately counted values per dimension, and $6 the first day whose visitor hashes are stored. A fifth of the values
 * is reserved for values known from the last 30 days.
 *
 * A value is counted separately for a whole day or not at all, so that filters are exact. After a day was truncated (it
 * has the empty key), only values that were known in the truncating step are added. LIMIT and OFFSET prevent the
 * planner from scanning whole tables to look up a few keys.
 */
export const countClicks = {
  name: 'count clicks',
  text: `
  WITH fresh AS MATERIALIZED (
    SELECT *, date_bin('15 minutes', occurred_at, 'epoch') AS quarter, date_bin('1 hour', occurred_at, 'epoch') AS hour,
      date_bin('1 day', occurred_at, 'epoch') AS day
    FROM clicks WHERE workspace_id = $1::uuid AND tx >= $2 AND tx < $3
  ), totals AS MATERIALIZED (
    SELECT subject, quarter, day, count(*)::int AS clicks, count(*) FILTER (WHERE NOT bot)::int AS human
    FROM fresh CROSS JOIN LATERAL (VALUES ($1), (link_id)) AS counted (subject)
    GROUP BY subject, quarter, day
  ), found AS MATERIALIZED (
    SELECT subject, dimension, day, CASE WHEN subject = $1 THEN hour END AS hour, key,
      count(*)::int AS clicks, count(*) FILTER (WHERE NOT bot)::int AS human
    FROM fresh CROSS JOIN LATERAL (VALUES ${values}) AS value (dimension, key)
    CROSS JOIN LATERAL (VALUES ($1), (link_id)) AS counted (subject)
    WHERE key <> '' AND (dimension <> 'link' OR subject = $1)
    GROUP BY 1, 2, 3, 4, 5
  ), new_values AS MATERIALIZED (
    SELECT value.* FROM (SELECT DISTINCT subject, dimension, day, key FROM found WHERE dimension <> 'link') AS value
    LEFT JOIN LATERAL (
      SELECT true AS is_stored FROM click_counts AS stored
      WHERE stored.subject = value.subject AND stored.dimension = value.dimension AND stored.grain = 'day'
        AND stored.at = value.day AND stored.key = value.key LIMIT 1
    ) AS stored ON true
    WHERE is_stored IS NULL
  ), value_counts AS MATERIALIZED (
    SELECT value.*, coalesce((own_values ->> dimension::text)::int, 0) AS stored
    FROM (SELECT subject, dimension, day, count(*)::int AS added FROM new_values GROUP BY 1, 2, 3) AS value
    LEFT JOIN LATERAL (
      SELECT own_values FROM click_days WHERE subject = value.subject AND day = value.day LIMIT 1
    ) AS stored ON true
  ), crowded AS MATERIALIZED (
    SELECT subject, dimension, day, stored, truncated.since AS truncated_since,
      CASE WHEN EXISTS (
        SELECT FROM click_days AS earlier
        WHERE earlier.subject = value.subject AND earlier.day >= value.day - interval '720 hours'
          AND earlier.day < value.day AND earlier.own_values ? value.dimension::text OFFSET 0
      ) THEN $5 / 5 ELSE 0 END AS reserved
    FROM value_counts AS value
    LEFT JOIN LATERAL (
      SELECT since FROM click_counts AS other
      WHERE other.subject = value.subject AND other.dimension = value.dimension AND other.grain = 'day'
        AND other.at = value.day AND other.key = '' LIMIT 1
    ) AS truncated ON true
    WHERE stored + added > $5::int - $5 / 5
  ), candidates AS MATERIALIZED (
    SELECT new_values.*, stored, truncated_since, reserved, reserved > 0 AND EXISTS (
      SELECT FROM click_counts AS month
      WHERE month.subject = new_values.subject AND month.dimension = new_values.dimension AND month.grain = 'month'
        AND month.at IN (date_trunc('month', day, 'UTC'), date_trunc('month', day - interval '720 hours', 'UTC'))
        AND month.key = new_values.key OFFSET 0
    ) AND EXISTS (
      SELECT FROM click_counts AS earlier
      WHERE earlier.subject = new_values.subject AND earlier.dimension = new_values.dimension AND earlier.grain = 'day'
        AND earlier.at = ANY(ARRAY(SELECT day - n * interval '24 hours' FROM generate_series(1, 30) AS n))
        AND earlier.key = new_values.key AND earlier.since < coalesce(truncated_since, $4) OFFSET 0
    ) AS is_known
    FROM new_values JOIN crowded USING (subject, dimension, day)
  ), rejected AS MATERIALIZED (
    SELECT subject, dimension, day, key FROM candidates WHERE truncated_since IS NOT NULL AND NOT is_known
    UNION ALL
    SELECT subject, dimension, day, key FROM (
      SELECT *, stored + row_number() OVER (PARTITION BY subject, dimension, day ORDER BY is_known DESC, key) AS place
      FROM candidates WHERE truncated_since IS NULL OR is_known
    ) AS ranked
    WHERE place > CASE WHEN is_known THEN $5 ELSE $5 - reserved END
  ), counted AS MATERIALIZED (
    SELECT subject, dimension, day, hour, CASE WHEN rejected.key IS NULL THEN found.key ELSE '' END AS key,
      sum(clicks)::int AS clicks, sum(human)::int AS human
    FROM found LEFT JOIN rejected USING (subject, dimension, day, key) GROUP BY 1, 2, 3, 4, 5
  ), own_values AS (
    SELECT subject, day, jsonb_object_agg(dimension, stored + added - coalesce(without, 0)) AS own_values
    FROM value_counts LEFT JOIN (
      SELECT subject, dimension, day, count(*) AS without FROM rejected GROUP BY 1, 2, 3
    ) AS rejected USING (subject, dimension, day)
    GROUP BY subject, day
  ), day_visitors AS MATERIALIZED (
    SELECT DISTINCT subject, day, md5(visitor)::uuid AS visitor
    FROM fresh CROSS JOIN LATERAL (VALUES ($1), (link_id)) AS counted (subject)
    WHERE NOT bot AND visitor IS NOT NULL
  ), new_visitors AS (
    INSERT INTO counted_visitors (workspace_id, day, subject, visitor)
    SELECT $1, day, subject, visitor FROM day_visitors WHERE day >= $6
    ON CONFLICT DO NOTHING RETURNING day, subject
  ), visitors AS (
    SELECT subject, day, count(*)::int AS visitors FROM new_visitors GROUP BY subject, day
  ), stored_totals AS (
    INSERT INTO click_totals AS stored (subject, at, clicks, human)
    SELECT subject, quarter, clicks, human FROM totals ORDER BY 1, 2
    ON CONFLICT (subject, at) DO UPDATE
    SET clicks = stored.clicks + EXCLUDED.clicks, human = stored.human + EXCLUDED.human
  ), stored_days AS (
    INSERT INTO click_days AS stored (subject, day, clicks, human, visitors, own_values)
    SELECT subject, day, clicks, human, coalesce(visitors, 0), coalesce(own_values, '{}')
    FROM (SELECT subject, day, sum(clicks) AS clicks, sum(human) AS human FROM totals GROUP BY 1, 2) AS days
    LEFT JOIN visitors USING (subject, day) LEFT JOIN own_values USING (subject, day) ORDER BY 1, 2
    ON CONFLICT (subject, day) DO UPDATE
    SET clicks = stored.clicks + EXCLUDED.clicks, human = stored.human + EXCLUDED.human,
      visitors = stored.visitors + EXCLUDED.visitors, own_values = stored.own_values || EXCLUDED.own_values
  ), stored_counts AS (
    INSERT INTO click_counts AS stored (subject, dimension, grain, at, key, clicks, human, since)
    SELECT subject, dimension, grain, at, key, sum(clicks), sum(human), CASE WHEN grain = 'day' THEN $4::int END
    FROM counted CROSS JOIN LATERAL (
      VALUES ('hour'::click_grain, hour), ('day', day), ('month', date_trunc('month', day, 'UTC'))
    ) AS time (grain, at)
    WHERE at IS NOT NULL GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (subject, dimension, grain, at, key) DO UPDATE
    SET clicks = stored.clicks + EXCLUDED.clicks, human = stored.human + EXCLUDED.human
  )
  SELECT (SELECT count(*) FROM fresh)::int AS clicks, (SELECT max(day) FROM fresh) AS "lastDay",
    (SELECT json_agg(json_build_object('subject', subject, 'day', day))
     FROM (SELECT DISTINCT subject, day FROM day_visitors WHERE day < $6) AS late) AS late`,
}
