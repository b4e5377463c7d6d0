/** Adds what callers and operators can control beyond 0.1.0: webhooks, tokens, notices and deliveries. */
import type { MigrationInterface, QueryRunner } from 'typeorm'

export class DeliveryControl0000000000002 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    const features = [
      batches,
      filters,
      customHeaders,
      tokenRestrictions,
      notices,
      portal,
      order,
      formats,
      noticeTargets,
      egressProxy,
      deliveryPause,
      processes,
      keyRotation,
      tracing,
    ]
    for (const sql of features) await db.query(sql)
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations cannot be reverted. Restore a backup instead.'))
  }
}

const batches = `
  ALTER TABLE webhooks ADD COLUMN batch jsonb;

  -- The batch that contains the delivery. A batch never changes: a delivery that leaves it gets a new one.
  ALTER TABLE deliveries ADD COLUMN batch_id uuid;
`

const filters = `
  -- restricted_tags are the tags of the token that created the webhook. The webhook receives only events of links that
  -- have one of them.
  ALTER TABLE webhooks ADD COLUMN filter jsonb, ADD COLUMN restricted_tags text[];

  -- Whether the replay sends deliveries and events that the filter excludes.
  ALTER TABLE replays ADD COLUMN ignore_filter boolean NOT NULL DEFAULT false;

  CREATE OR REPLACE VIEW subscriptions AS
  SELECT webhooks.id AS webhook_id, webhooks.workspace_id, webhooks.events,
    webhooks.status = 'active'
      AND (lanes.paused_until IS NULL OR lanes.paused_until <= now())
      AND (lanes.probe_at IS NULL OR lanes.probe_at <= now()) AS is_ready,
    -- Batches need no quick hint, because they wait for further events anyway.
    lanes.failures_in_a_row = 0 AND lanes.last_success_at IS NOT NULL
      AND lanes.last_success_at > COALESCE(lanes.resumed_at, '-infinity')
      AND webhooks.batch IS NULL AS is_proven,
    webhooks.filter, webhooks.restricted_tags
  FROM webhooks JOIN lanes ON lanes.webhook_id = webhooks.id
  WHERE webhooks.deleted_at IS NULL;

  -- Returns the first condition that an event does not meet, or null. An absent condition is null, and NOT NULL is not
  -- true. compileFilter in events/webhook-filter.ts does the same, and a test compares both.
  CREATE FUNCTION unmet_condition(filter jsonb, restricted_tags text[], event_type text, link_id uuid, body json)
  RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $unmet_condition$
    SELECT CASE
      WHEN restricted_tags IS NOT NULL
        AND NOT restricted_tags && ARRAY(SELECT json_array_elements_text(body #> '{data,link,tags}'))
        THEN 'restricted_tags'
      WHEN link_id IS NULL THEN NULL
      WHEN NOT filter -> 'link_ids' ? link_id::text THEN 'link_ids'
      WHEN NOT filter -> 'tags' ?| ARRAY(
          SELECT json_array_elements_text(body #> '{data,link,tags}')
          UNION ALL SELECT json_array_elements_text(body #> '{data,previous,tags}')
        ) THEN 'tags'
      WHEN event_type = 'click' AND (filter -> 'human_only')::boolean AND (body #>> '{data,click,bot}')::boolean
        THEN 'human_only'
      WHEN event_type = 'link.updated'
        AND NOT filter -> 'changed_fields' ?| ARRAY(SELECT json_object_keys(body #> '{data,previous}'))
        THEN 'changed_fields'
    END
  $unmet_condition$;
`

const customHeaders = `
  -- The names are also in sealed_headers. They are shown even if ENCRYPTION_KEY has changed.
  ALTER TABLE webhooks ADD COLUMN header_names text[], ADD COLUMN sealed_headers bytea;
`

const tokenRestrictions = `
  -- restricted_tags of an import are the tags of the token that created it.
  ALTER TABLE tokens ADD COLUMN restrictions jsonb;
  ALTER TABLE imports ADD COLUMN restricted_tags text[];
`

const notices = `
  -- reported_at is when webhook.failing or webhook.disabled was recorded. It is kept until webhook.recovered is recorded.
  -- recovered_at is the first success after reported_at.
  ALTER TABLE lanes ADD COLUMN reported_at timestamptz(3), ADD COLUMN recovered_at timestamptz(3);
  UPDATE lanes SET reported_at = warned_at WHERE warned_at IS NOT NULL;
  CREATE INDEX lanes_recovered ON lanes (recovered_at) WHERE recovered_at IS NOT NULL;

  -- The number of days before its expiry for which a token was last reported as expiring: 7 or 1.
  ALTER TABLE tokens ADD COLUMN expiry_reported_days smallint;
  CREATE INDEX tokens_by_expiry ON tokens (expires_at) WHERE revoked_at IS NULL;
`

const portal = `
  -- A session of the webhook portal is limited to one webhook and these actions, and ends at ends_at.
  ALTER TABLE dashboard_sessions
    ADD COLUMN webhook_id uuid REFERENCES webhooks,
    ADD COLUMN actions text[],
    ADD COLUMN ends_at timestamptz(3);
  ALTER TABLE dashboard_codes ADD COLUMN webhook_id uuid REFERENCES webhooks, ADD COLUMN actions text[];
`

const order = `
  ALTER TABLE webhooks ADD COLUMN ordered boolean NOT NULL DEFAULT false;
`

const formats = `
  ALTER TABLE webhooks ADD COLUMN format text NOT NULL DEFAULT 'standard';
`

const noticeTargets = `
  CREATE TABLE notice_targets (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces,
    type text NOT NULL,
    sealed_address bytea NOT NULL,
    address_hint text NOT NULL,
    events text[] NOT NULL
  );
  CREATE INDEX notice_targets_by_workspace ON notice_targets (workspace_id, id);

  -- Events that no group contains yet. Separate, so that concurrent events do not wait for each other.
  CREATE TABLE pending_notices (
    event_id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    type text NOT NULL
  );

  -- The unsent events of a type for one target. A row without unsent events remembers when the last message was sent.
  -- target_id is the ID of a row of notice_targets, or is derived from a target in NOTICES.
  CREATE TABLE notice_groups (
    target_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    type text NOT NULL,
    event_ids uuid[] NOT NULL DEFAULT '{}',
    count integer NOT NULL DEFAULT 0,
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz(3),
    sent_at timestamptz(3),
    failing_since timestamptz(3),
    last_error text,
    PRIMARY KEY (target_id, workspace_id, type)
  );
  CREATE INDEX notice_groups_due ON notice_groups (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
  CREATE INDEX notice_groups_failing ON notice_groups (failing_since) WHERE failing_since IS NOT NULL;

  -- The time of the last test of a workspace, which limits how often tests are sent.
  CREATE TABLE notice_tests (
    workspace_id uuid PRIMARY KEY,
    tested_at timestamptz(3) NOT NULL
  );
`

const egressProxy = `
  -- The fault of the egress proxy that the worker last observed. Null while the proxy works, and without a proxy.
  ALTER TABLE workers ADD COLUMN proxy_failing_since timestamptz(3), ADD COLUMN proxy_error text;
`

const deliveryPause = `
  -- Has one row while all deliveries are paused.
  CREATE TABLE delivery_pause (
    active boolean PRIMARY KEY DEFAULT true,
    paused_at timestamptz(3) NOT NULL,
    reason text,
    CONSTRAINT delivery_pause_is_one_row CHECK (active)
  );
`

const processes = `
  -- The running processes, with the ID of their worker. A process updates seen_at while it runs.
  CREATE TABLE processes (
    id uuid PRIMARY KEY,
    role text NOT NULL,
    version text NOT NULL,
    host text NOT NULL,
    pid integer NOT NULL,
    started_at timestamptz(3) NOT NULL,
    seen_at timestamptz(3) NOT NULL,
    lag_seconds real
  );
`

const keyRotation = `
  -- The fingerprint of the TOKEN_PEPPER of the hash. Null for rows from 0.1.0.
  ALTER TABLE tokens ADD COLUMN pepper_fingerprint text;
  ALTER TABLE dashboard_sessions ADD COLUMN pepper_fingerprint text;
  ALTER TABLE dashboard_codes ADD COLUMN pepper_fingerprint text;
`

const tracing = `
  -- The W3C traceparent of the request that caused the event. Null while no tracing SDK is loaded.
  ALTER TABLE events ADD COLUMN traceparent text;
`
