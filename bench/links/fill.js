/**
 * Links as a busy workspace has them after some years: a link each minute; hosts, words and tags from a few that most
 * links have to some that hardly any has; one campaign whose links are all old, so that its word is common and yet far
 * from the end at which the newest-first list begins.
 */

/** Words and tags by how many links have them. The queries of the bench are made of them. */
const insertLinks = `
  INSERT INTO links
  SELECT (lpad(to_hex(1600000000000 + n * 60000), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
    (SELECT id FROM workspaces WHERE name = 'default'), 'slug' || n,
    'https://' || (ARRAY['www', 'shop', 'blog', 'docs'])[1 + n % 4] || '.example.com/'
      || CASE WHEN n <= $1::bigint / 4 THEN 'jubilee' ELSE 'articles' END || '/w' || abs(hashtext(n::text)) % 5000 || '/' || md5(n::text),
    'Title ' || md5((n * 7)::text), ARRAY['all', 'tag' || n % 1000] || CASE WHEN n <= $1::bigint / 4 THEN ARRAY['old'] ELSE ARRAY[]::text[] END,
    CASE WHEN n % 2 = 0 THEN 'ext' || n END, 302, false, n % 500 <> 0, NULL,
    to_timestamp(1600000000 + n * 60), to_timestamp(1600000000 + n * 60)
  FROM generate_series($2::bigint, $3::bigint) AS n`

/** Into tables that nobody reads yet. */
export async function fill(query, count, step = 100_000) {
  // Filling a search index row by row takes many minutes, building it one.
  const searchIndexes = await query(
    `SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'links' AND indexdef LIKE '% gin %'`,
  )
  for (const { indexname } of searchIndexes) await query(`DROP INDEX ${indexname}`)
  for (let from = 1; from <= count; from += step)
    await query(insertLinks, [count, from, Math.min(count, from + step - 1)])
  await query('INSERT INTO link_counters SELECT id, workspace_id, abs(hashtext(slug)) % 10000, 0 FROM links')
  await query(`SET maintenance_work_mem = '256MB'`)
  for (const { indexdef } of searchIndexes) await query(indexdef)
  await query('VACUUM ANALYZE')
}
