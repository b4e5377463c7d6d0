/**
 * The one statement that moves clicks into the breakdowns. It groups the clicks of some transactions by every
 * dimension, merges the groups with the rows that are there, and counts the visitors who are new on their day. Its
 * inserts come last: they give the transaction its number, and from then on the feeds wait for it.
 */
import {
  dimensions,
  grains,
  keyOf,
  letterOf,
  packedPart,
  partOfKey,
  quarterLetter,
  timePart,
} from '../dimensions.js'

const utcDay = (time: string) => `date_bin('1 day', ${time}, 'epoch')`
const quarter = `floor(extract(epoch FROM occurred_at - ${utcDay('occurred_at')}) / 900)::int`

/** A click without a key in a dimension gives null, and is left out: unknown is the rest of the total. */
const keys = [
  `('')`,
  `('${quarterLetter}' || ${quarter})`,
  ...dimensions.map((dimension) => `('${letterOf(dimension)}' || ${keyOf(dimension)})`),
].join(', ')

const ofTime = `left(key, 1) IN ('', '${quarterLetter}')`
// Not '1 day', whose length depends on the clocks of the session's time zone.
const aDay = `interval '24 hours'`
const month = (day: string) => `date_trunc('month', ${day}, 'UTC')`

/**
 * $1 is the workspace, $2 and $3 bound the transactions. $4 and $5 are the month and the link up to which there are
 * month rows. $6 is the day since which visitors are remembered, $7 the day up to which there are running sums.
 */
export const rollClicks = {
  name: 'roll clicks up',
  text: `
  WITH fresh AS MATERIALIZED (
    SELECT *, date_bin('1 hour', occurred_at, 'epoch') AS hour, ${utcDay('occurred_at')} AS day
    FROM clicks WHERE workspace_id = $1::uuid AND tx >= $2 AND tx < $3
  ), cells AS MATERIALIZED (
    SELECT link_id, day, hour, key, count(*)::int AS clicks, count(*) FILTER (WHERE NOT bot)::int AS human
    FROM fresh CROSS JOIN LATERAL (VALUES ${keys}) AS entry (key)
    WHERE key IS NOT NULL
    GROUP BY GROUPING SETS ((link_id, day, key), (hour, key))
  ), of_links AS (
    SELECT link_id AS subject, CASE WHEN ${ofTime} THEN ${timePart} ELSE ${packedPart} END AS part, day, key, clicks, human
    FROM cells WHERE link_id IS NOT NULL AND left(key, 1) <> '${letterOf('link')}'
  ), of_workspace AS (
    SELECT $1 AS subject, ${partOfKey} AS part, hour, ${utcDay('hour')} AS day, key, clicks, human
    FROM cells WHERE link_id IS NULL
  ), added AS (
    SELECT subject, part, ${grains.day} AS grain, day AS at, key, clicks, human FROM of_links
    UNION ALL
    SELECT subject, part, ${grains.month}, ${month('day')}, key, clicks, human FROM of_links
    WHERE part <> ${timePart} AND (${month('day')}, subject) <= ($4::timestamptz, $5::uuid)
    UNION ALL
    SELECT subject, part, ${grains.hour}, hour, key, clicks, human FROM of_workspace WHERE part <> ${timePart}
    UNION ALL
    SELECT subject, part, ${grains.day}, day, key, clicks, human FROM of_workspace
    UNION ALL
    SELECT subject, part, ${grains.sum}, at, key, clicks, human FROM of_workspace
    CROSS JOIN LATERAL generate_series(day, least(day + 30 * ${aDay}, $7::timestamptz - ${aDay}), ${aDay}) AS later (at)
    WHERE part <> ${timePart} AND day < $7 AND ${month('at')} = ${month('day')}
  ), present AS (
    SELECT subject, part, grain, at, unnest(keys) AS key, unnest(clicks) AS clicks, unnest(humans) AS human
    FROM (SELECT DISTINCT subject, part, grain, at FROM added) AS touched
    CROSS JOIN LATERAL (
      SELECT keys, clicks, humans FROM breakdowns AS b
      WHERE (b.subject, b.part, b.grain, b.at) = (touched.subject, touched.part, touched.grain, touched.at) LIMIT 1
    ) AS row
  ), merged AS (
    SELECT subject, part, grain, at, key, sum(clicks)::int AS clicks, sum(human)::int AS human
    FROM (TABLE added UNION ALL TABLE present) AS both_of_them
    GROUP BY subject, part, grain, at, key
  ), rows AS (
    SELECT subject, part, grain, at,
      coalesce(sum(clicks) FILTER (WHERE key = ''), 0) AS total, coalesce(sum(human) FILTER (WHERE key = ''), 0) AS human,
      array_agg(key) FILTER (WHERE key <> '') AS keys, array_agg(clicks) FILTER (WHERE key <> '') AS clicks,
      array_agg(human) FILTER (WHERE key <> '') AS humans
    FROM merged GROUP BY subject, part, grain, at
  ), people AS (
    SELECT DISTINCT day, subject, md5(visitor)::uuid AS visitor
    FROM fresh CROSS JOIN LATERAL (VALUES (link_id), ($1)) AS of (subject)
    WHERE NOT bot AND visitor IS NOT NULL
  ), newcomers AS (
    INSERT INTO counted_visitors (workspace_id, day, subject, visitor)
    SELECT $1, day, subject, visitor FROM people WHERE day >= $6
    ON CONFLICT DO NOTHING RETURNING day, subject
  ), visitors AS (
    SELECT subject, day, count(*) AS count FROM newcomers GROUP BY subject, day
  ), written AS (
    INSERT INTO breakdowns AS b (subject, part, grain, at, total, human, visitors, keys, clicks, humans)
    SELECT subject, part, grain, at, total, human, coalesce(visitors.count, 0), keys, clicks, humans
    FROM rows LEFT JOIN (
      SELECT subject, day AS at, count, ${grains.day} AS grain, ${timePart} AS part FROM visitors
    ) AS visitors USING (subject, at, grain, part)
    ON CONFLICT (subject, part, grain, at) DO UPDATE
    SET total = b.total + EXCLUDED.total, human = b.human + EXCLUDED.human, visitors = b.visitors + EXCLUDED.visitors,
      keys = EXCLUDED.keys, clicks = EXCLUDED.clicks, humans = EXCLUDED.humans
  )
  SELECT (SELECT count(*) FROM fresh)::int AS clicks,
    (SELECT min(day) FROM fresh) AS "firstDay", (SELECT max(day) FROM fresh) AS "lastDay",
    (SELECT json_agg(json_build_object('subject', subject, 'day', day))
     FROM (SELECT DISTINCT subject, day FROM people WHERE day < $6) AS late) AS late`,
}
