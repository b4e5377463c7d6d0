/**
 * Writes links with their counters, events, deliveries and audit entries in one statement, so a link and its event
 * are committed together.
 */
import type { EntityManager } from 'typeorm'

import type { EventRow } from '../../events/event.entity.js'
import type { ReadyWebhook } from '../../events/ports.js'
import { runTraced } from '../../platform/util/tracing.js'
import { runStatement } from '../../platform/database/statements.js'
import type { LinkRow } from '../link.entity.js'

export interface LinkWrites {
  created: readonly LinkRow[]
  /** Updated and deleted links. The caller holds their locks. */
  changed: readonly LinkRow[]
  events: readonly Omit<EventRow, 'tx'>[]
  /** Rows of the table `audit_log`. */
  audit: readonly object[]
}

interface WrittenLinks {
  /** IDs of the written links. New links whose slug or external ID was taken are missing, with their events. */
  ids: string[]
  /** Webhooks whose new deliveries can be sent now. */
  ready: ReadyWebhook[]
}

// $1 is the workspace. $2 to $5 are JSON lists: created links, changed links, events, audit entries.
const writeLinksStatement = {
  name: 'write-links',
  text: `
WITH created AS (
  -- Ordered by slug, so that two statements with the same slugs cannot deadlock. Skips links whose slug or external ID
  -- is taken, including by a deleted link or a concurrent transaction.
  INSERT INTO links (id, workspace_id, slug, url, title, note, tags, external_id, redirect_status, forward_query,
    enabled, expires_at, created_at, updated_at)
  SELECT id, $1, slug, url, title, note, tags, external_id, redirect_status, forward_query,
    enabled, expires_at, created_at, updated_at
  FROM json_populate_recordset(NULL::links, $2)
  ORDER BY slug COLLATE "C"
  ON CONFLICT DO NOTHING
  RETURNING id
), counter AS (
  INSERT INTO link_counters (link_id, workspace_id, total, human)
  SELECT id, $1, 0, 0 FROM created
), changed AS (
  UPDATE links
  SET url = link.url, title = link.title, note = link.note, tags = link.tags, external_id = link.external_id,
    redirect_status = link.redirect_status, forward_query = link.forward_query, enabled = link.enabled,
    expires_at = link.expires_at, updated_at = link.updated_at, deleted_at = link.deleted_at
  FROM json_populate_recordset(NULL::links, $3) AS link
  WHERE links.id = link.id AND links.workspace_id = $1 AND links.deleted_at IS NULL
  RETURNING links.id, links.slug
), announced AS (
  -- Notifies the change feed, so that other processes evict these slugs from their caches.
  SELECT pg_notify('link_service_changes', 'link:' || slug) FROM changed
), written AS (
  SELECT id FROM created UNION ALL SELECT id FROM changed
), audited AS (
  INSERT INTO audit_log (id, workspace_id, action, actor_token_id, object_type, object_id, address, request_id, details,
    occurred_at)
  SELECT entry.id, $1, entry.action, entry.actor_token_id, entry.object_type, entry.object_id, entry.address,
    entry.request_id, entry.details, entry.occurred_at
  FROM json_populate_recordset(NULL::audit_log, $5) AS entry
  JOIN written ON written.id = entry.object_id
), event AS (
  -- The text of the body is stored unchanged.
  INSERT INTO events (tx, id, workspace_id, type, link_id, body, traceparent)
  SELECT pg_current_xact_id()::text::bigint + feed_epoch.first_tx, event.id, $1, event.type, event.link_id,
    event.body::text, event.traceparent
  FROM json_to_recordset($4) AS event (id uuid, type text, link_id uuid, body json, traceparent text)
  JOIN written ON written.id = event.link_id
  CROSS JOIN feed_epoch
  RETURNING id, type, link_id, body
), delivery_to AS (
  SELECT subscriptions.webhook_id, subscriptions.is_ready, subscriptions.is_proven, event.id AS event_id, event.type
  FROM event
  JOIN subscriptions ON subscriptions.workspace_id = $1 AND subscriptions.events && ARRAY[event.type, '*']
    AND CASE WHEN subscriptions.filter IS NULL AND subscriptions.restricted_tags IS NULL THEN true
      ELSE unmet_condition(
        subscriptions.filter, subscriptions.restricted_tags, event.type, event.link_id, event.body::json) IS NULL END
  ORDER BY event.id
), delivery AS (
  -- Priority 1: first attempts.
  INSERT INTO deliveries (webhook_id, id, event_id, event_type, status, priority, next_attempt_at)
  SELECT webhook_id, new_id(), event_id, type, 'pending', 1, now() FROM delivery_to
  RETURNING webhook_id
), uncounted AS (
  INSERT INTO uncounted_deliveries (webhook_id, count)
  SELECT webhook_id, count(*) FROM delivery GROUP BY webhook_id
), ready AS (
  SELECT DISTINCT webhook_id AS "webhookId", is_proven AS "isProven" FROM delivery_to WHERE is_ready
)
SELECT ARRAY(SELECT id FROM written) AS ids,
  COALESCE((SELECT json_agg(ready) FROM ready), '[]') AS ready,
  (SELECT count(*) FROM announced) AS announced`,
}

/** Does not need a transaction, because the single statement is atomic. */
export async function writeLinks(
  db: EntityManager,
  workspaceId: string,
  { created, changed, events, audit }: LinkWrites,
): Promise<WrittenLinks> {
  const [written] = await runTraced(
    // The statement also creates the deliveries of the events.
    () => ({
      name: 'write links and fan out events',
      kind: 'INTERNAL',
      attributes: { 'link_service.events': events.length },
    }),
    () =>
      runStatement<WrittenLinks & object>(db, writeLinksStatement, [
        workspaceId,
        JSON.stringify(created),
        JSON.stringify(changed),
        eventList(events),
        JSON.stringify(audit),
      ]),
  )
  return written!
}

/** Serializes events. Their bodies are already JSON and are inserted unchanged. */
function eventList(events: LinkWrites['events']): string {
  const rows = events.map(
    ({ id, type, linkId, body, traceparent }) =>
      `{"id":${JSON.stringify(id)},"type":${JSON.stringify(type)},"link_id":${JSON.stringify(linkId)},"body":${body}` +
      (traceparent === null ? '}' : `,"traceparent":${JSON.stringify(traceparent)}}`),
  )
  return `[${rows.join(',')}]`
}
