/** The only statement that inserts clicks and counts them. */
import type { EntityManager } from 'typeorm'

import { addToLinkCounters } from '../../links/link.entity.js'
import { runStatement } from '../../platform/database/statements.js'
import type { NewClick } from '../click.entity.js'
import { ownTransaction } from '../../platform/database/feed-place.js'

const special = /["\\]/
const everySpecial = /["\\]/g

const columns: readonly (readonly [
  name: string,
  type: string,
  value: (click: NewClick) => string | boolean | null,
])[] = [
  ['id', 'uuid', (click) => click.id],
  ['workspace_id', 'uuid', (click) => click.workspaceId],
  ['link_id', 'uuid', (click) => click.linkId],
  ['slug', 'text', (click) => click.slug],
  ['url', 'text', (click) => click.url],
  ['occurred_at', 'timestamptz', (click) => click.occurredAt.toISOString()],
  ['bot', 'boolean', (click) => click.bot],
  ['referrer', 'text', (click) => click.referrer],
  ['referrer_host', 'text', (click) => click.referrerHost],
  ['country', 'text', (click) => click.country],
  ['browser', 'text', (click) => click.browser],
  ['os', 'text', (click) => click.os],
  ['device', 'text', (click) => click.device],
  ['language', 'text', (click) => click.language],
  ['ip', 'text', (click) => click.ip],
  ['visitor', 'text', (click) => click.visitor],
  ['region', 'text', (click) => click.region],
  ['city', 'text', (click) => click.city],
  ['utm_source', 'text', (click) => click.utmSource],
  ['utm_medium', 'text', (click) => click.utmMedium],
  ['utm_campaign', 'text', (click) => click.utmCampaign],
  ['utm_term', 'text', (click) => click.utmTerm],
  ['utm_content', 'text', (click) => click.utmContent],
  ['source', 'text', (click) => click.source],
  ['ahead', 'boolean', (click) => click.ahead],
  ['event_id', 'uuid', (click) => click.eventId],
]

const names = columns.map(([name]) => name).join(', ')
const arrays = columns.map(([, type], i) => `$${i + 1}::${type}[]`).join(', ')

/** A target gets a row after this many clicks of its link. The row takes as much space as it saves in four clicks. */
const clicksBeforeTarget = 4
/** Maximum number of target rows per link, because each click of the link searches all of them. */
const maxTargets = 100

/** SQL for columns that are stored in a shorter form (see StoredClick). */
const compactValues: Partial<Record<string, string>> = {
  slug: 'CASE WHEN target_id IS NULL THEN slug END',
  url: 'CASE WHEN target_id IS NULL THEN url END',
  referrer: `CASE WHEN starts_with(referrer, 'https://' || referrer_host || '/')
      THEN substr(referrer, length('https://' || referrer_host) + 1) ELSE referrer END`,
}
const stored = columns.map(([name]) => compactValues[name] ?? name).join(', ')

/**
 * A click refers to the row of its target, if there is one. Only the link's own URL gets a row: a visitor's query
 * parameters must be deleted together with the click.
 *
 * Counters are updated after the clicks are inserted (see `addToLinkCounters`). A click of a missing link is stored but
 * not counted. Clicks are inserted in order of their links, because two indexes start with the link ID and their pages
 * then stay cached.
 */
const text = `
  WITH batch AS (
    SELECT click.*, target.id AS target_id
    FROM unnest(${arrays}) AS click (${names})
    LEFT JOIN click_targets AS target
      ON target.link_id = click.link_id AND target.slug = click.slug AND target.url = click.url
  ), written AS (
    INSERT INTO clicks (tx, ${names}, target_id)
    SELECT ${ownTransaction}, ${stored}, target_id FROM batch ORDER BY link_id
    ON CONFLICT DO NOTHING
    RETURNING id, link_id, workspace_id, bot, occurred_at, target_id
  ), targets AS (
    INSERT INTO click_targets (link_id, slug, url)
    SELECT link.id, slug, url
    FROM (SELECT DISTINCT link_id FROM written WHERE target_id IS NULL) AS clicked
    CROSS JOIN LATERAL (SELECT id, slug, url FROM links WHERE id = clicked.link_id OFFSET 0) AS link
    WHERE (SELECT total FROM link_counters WHERE link_counters.link_id = link.id) >= ${clicksBeforeTarget}
      AND (
        SELECT count(*) < ${maxTargets} AND NOT coalesce(bool_or(target.slug = link.slug AND target.url = link.url), false)
        FROM click_targets AS target WHERE target.link_id = link.id
      )
    ORDER BY link.id
    ON CONFLICT DO NOTHING
  ), counted AS (
    SELECT link_id, (array_agg(workspace_id))[1] AS workspace_id, count(*) AS total,
      count(*) FILTER (WHERE NOT bot) AS human, max(occurred_at) AS last
    FROM written GROUP BY link_id
  ), counters AS (${addToLinkCounters}
  )
  SELECT CASE WHEN (SELECT count(*) FROM written) < cardinality($1::uuid[]) THEN ARRAY(SELECT id::text FROM written) END
    AS "newIds"`

const insertAndCount = { name: 'insert and count clicks', text }

/** Inserts and counts the clicks that are not in the database yet, and returns them. */
export async function writeClicks(
  tx: EntityManager,
  batch: readonly NewClick[],
): Promise<readonly NewClick[]> {
  const values = columns.map(([, , value]) => arrayLiteral(batch, value))
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
