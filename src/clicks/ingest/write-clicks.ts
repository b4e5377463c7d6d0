/** The only statement that inserts clicks and counts them. */
import type { EntityManager } from 'typeorm'

import { runStatement } from '../../platform/database/statements.js'
import type { NewClick } from '../click.entity.js'

const special = /["\\]/
const everySpecial = /["\\]/g

/**
 * A click refers to the row of its target, if there is one. Only the link's own URL gets a row: a visitor's query
 * parameters must be deleted together with the click. It gets a row from the fifth click on, because the row takes as
 * much space as it saves in four clicks. A link has at most 100 target rows, because each of its clicks searches them.
 *
 * Clicks are inserted in order of their links, because two indexes start with the link ID and their pages then stay
 * cached. A click of a missing link is stored but not counted: the subquery of `counters` skips it, and makes PostgreSQL
 * use the primary key for any number of links. The order of the counters prevents deadlocks between writers.
 */
const insertAndCount = {
  name: 'insert and count clicks',
  text: `
  WITH batch AS (
    SELECT click.*, target.id AS target_id
    FROM unnest(
      $1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::timestamptz[], $7::boolean[],
      $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[],
      $15::text[], $16::text[], $17::text[], $18::text[],
      $19::text[], $20::text[], $21::text[], $22::text[], $23::text[],
      $24::text[], $25::boolean[], $26::uuid[]
    ) AS click (
      id, workspace_id, link_id, slug, url, occurred_at, bot,
      referrer, referrer_host, country, browser, os, device, language,
      ip, visitor, region, city,
      utm_source, utm_medium, utm_campaign, utm_term, utm_content,
      source, ahead, event_id
    )
    LEFT JOIN click_targets AS target
      ON target.link_id = click.link_id AND target.slug = click.slug AND target.url = click.url
  ), written AS (
    INSERT INTO clicks (
      tx, id, workspace_id, link_id, target_id, slug, url, occurred_at, bot,
      referrer,
      referrer_host, country, browser, os, device, language,
      ip, visitor, region, city,
      utm_source, utm_medium, utm_campaign, utm_term, utm_content,
      source, ahead, event_id
    )
    SELECT pg_current_xact_id()::text::bigint + feed_epoch.first_tx, id, workspace_id, link_id, target_id,
      CASE WHEN target_id IS NULL THEN slug END, CASE WHEN target_id IS NULL THEN url END, occurred_at, bot,
      CASE WHEN starts_with(referrer, 'https://' || referrer_host || '/')
        THEN substr(referrer, length('https://' || referrer_host) + 1) ELSE referrer END,
      referrer_host, country, browser, os, device, language,
      ip, visitor, region, city,
      utm_source, utm_medium, utm_campaign, utm_term, utm_content,
      source, ahead, event_id
    FROM batch, feed_epoch
    ORDER BY link_id
    ON CONFLICT DO NOTHING
    RETURNING id, link_id, workspace_id, bot, occurred_at, target_id
  ), targets AS (
    INSERT INTO click_targets (link_id, slug, url)
    SELECT link.id, slug, url
    FROM (SELECT DISTINCT link_id FROM written WHERE target_id IS NULL) AS clicked
    CROSS JOIN LATERAL (SELECT id, slug, url FROM links WHERE id = clicked.link_id OFFSET 0) AS link
    WHERE (SELECT total FROM link_counters WHERE link_counters.link_id = link.id) >= 4
      AND (
        SELECT count(*) < 100 AND NOT coalesce(bool_or(target.slug = link.slug AND target.url = link.url), false)
        FROM click_targets AS target WHERE target.link_id = link.id
      )
    ORDER BY link.id
    ON CONFLICT DO NOTHING
  ), counted AS (
    SELECT link_id, (array_agg(workspace_id))[1] AS workspace_id, count(*) AS total,
      count(*) FILTER (WHERE NOT bot) AS human, max(occurred_at) AS last
    FROM written GROUP BY link_id
  ), counters AS (
    INSERT INTO link_counters AS counter (link_id, workspace_id, total, human, last_clicked_at)
    SELECT link_id, workspace_id, total, human, last FROM counted
    WHERE (SELECT true FROM links WHERE links.id = counted.link_id)
    ORDER BY link_id
    ON CONFLICT (link_id) DO UPDATE
    SET total = counter.total + EXCLUDED.total,
        human = counter.human + EXCLUDED.human,
        last_clicked_at = GREATEST(counter.last_clicked_at, EXCLUDED.last_clicked_at)
  )
  SELECT CASE WHEN (SELECT count(*) FROM written) < cardinality($1::uuid[]) THEN ARRAY(SELECT id::text FROM written) END
    AS "newIds"`,
}

/** The parameters of the statement, in its order. */
const parameters: readonly ((click: NewClick) => string | boolean | null)[] = [
  (click) => click.id,
  (click) => click.workspaceId,
  (click) => click.linkId,
  (click) => click.slug,
  (click) => click.url,
  (click) => click.occurredAt.toISOString(),
  (click) => click.bot,
  (click) => click.referrer,
  (click) => click.referrerHost,
  (click) => click.country,
  (click) => click.browser,
  (click) => click.os,
  (click) => click.device,
  (click) => click.language,
  (click) => click.ip,
  (click) => click.visitor,
  (click) => click.region,
  (click) => click.city,
  (click) => click.utmSource,
  (click) => click.utmMedium,
  (click) => click.utmCampaign,
  (click) => click.utmTerm,
  (click) => click.utmContent,
  (click) => click.source,
  (click) => click.ahead,
  (click) => click.eventId,
]

/** Inserts and counts the clicks that are not in the database yet, and returns them. */
export async function writeClicks(
  tx: EntityManager,
  batch: readonly NewClick[],
): Promise<readonly NewClick[]> {
  const values = parameters.map((value) => arrayLiteral(batch, value))
  const [result] = await runStatement<{ newIds: string[] | null }>(tx, insertAndCount, values)
  if (!result?.newIds) return batch
  const newIds = new Set(result.newIds)
  return batch.filter(({ id }) => newIds.has(id))
}

/**
 * Encodes one column of many rows as a PostgreSQL array literal. A value equal to the previous row's is not encoded
 * again, because neighboring clicks share many values.
 */
export function arrayLiteral<Row>(
  rows: readonly Row[],
  value: (row: Row) => string | boolean | null,
): string {
  let elements = ''
  let [previous, element]: [string | boolean | null | undefined, string] = [undefined, '']
  for (const row of rows) {
    const item = value(row)
    if (item !== previous) [previous, element] = [item, encodeElement(item)]
    elements += element
  }
  return `{${elements.slice(1)}}`
}

function encodeElement(item: string | boolean | null): string {
  if (item === null) return ',NULL'
  if (typeof item === 'boolean') return item ? ',t' : ',f'
  return `,"${special.test(item) ? item.replace(everySpecial, '\\$&') : item}"`
}
