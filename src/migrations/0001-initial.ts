/** The schema of version 0.1.0. Released migrations never change: later releases add their own files. */
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** TypeORM sorts migrations by the 13 digits at the end of the name. */
export class Initial0000000000001 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    const features = [
      workspaces,
      tokens,
      auditLog,
      links,
      clicks,
      events,
      webhooks,
      deliveries,
      replays,
      analytics,
      dashboardSessions,
      imports,
      idempotency,
      infrastructure,
    ]
    for (const sql of features) await db.query(sql)
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations cannot be reverted. Restore a backup instead.'))
  }
}

const workspaces = `
  CREATE TABLE workspaces (
    id uuid PRIMARY KEY,
    name text NOT NULL UNIQUE,
    created_at timestamptz(3) NOT NULL
  );
`

const tokens = `
  CREATE TABLE tokens (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces,
    name text NOT NULL,
    scopes text[] NOT NULL,
    hash bytea NOT NULL UNIQUE,
    prefix text NOT NULL,
    last4 text NOT NULL,
    created_by uuid REFERENCES tokens,
    rotated_from uuid REFERENCES tokens,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3),
    revoked_at timestamptz(3),
    last_used_at timestamptz(3),
    used_scopes text[] NOT NULL DEFAULT '{}'
  );
  CREATE INDEX tokens_by_workspace ON tokens (workspace_id, id);
  CREATE INDEX tokens_by_creator ON tokens (created_by);
  -- Counts the active tokens of a workspace without reading expired tokens.
  CREATE INDEX tokens_active ON tokens (workspace_id, expires_at) WHERE revoked_at IS NULL;
`

const auditLog = `
  CREATE TABLE audit_log (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    action text NOT NULL,
    actor_token_id uuid,
    object_type text NOT NULL,
    object_id uuid,
    address text,
    request_id text,
    details jsonb NOT NULL,
    occurred_at timestamptz(3) NOT NULL
  ) PARTITION BY RANGE (id);
  CREATE INDEX audit_log_by_workspace ON audit_log (workspace_id, id);
  CREATE INDEX audit_log_by_object ON audit_log (object_id, id);
`

const links = String.raw`
  -- Both extensions are trusted, so the owner of the database can create them.
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE EXTENSION IF NOT EXISTS btree_gin;

  -- workspace_id has no foreign key, because every insert would lock the row of the workspace. Its value comes from a
  -- token, and workspaces are never deleted. The row of a deleted link keeps its slug reserved.
  CREATE TABLE links (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    slug text COLLATE "C" NOT NULL UNIQUE,
    url text NOT NULL,
    title text,
    note text,
    tags text[] NOT NULL,
    external_id text,
    redirect_status smallint NOT NULL,
    forward_query boolean NOT NULL,
    enabled boolean NOT NULL,
    expires_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    deleted_at timestamptz(3)
  );
  CREATE INDEX links_by_workspace ON links (workspace_id, id) WHERE deleted_at IS NULL;
  CREATE INDEX links_disabled ON links (workspace_id, id) WHERE deleted_at IS NULL AND NOT enabled;
  -- The external ID of a deleted link can be reused.
  CREATE UNIQUE INDEX links_external_id_key ON links (workspace_id, external_id)
    WHERE deleted_at IS NULL AND external_id IS NOT NULL;
  -- Finds tags and parts of words in a workspace. A link has about a hundred entries, so new entries are first
  -- collected in a short pending list, which searches also read.
  CREATE INDEX links_by_words ON links
    USING gin (workspace_id, tags, (slug || E'\n' || url || E'\n' || coalesce(title, '')) gin_trgm_ops)
    WITH (fastupdate = on, gin_pending_list_limit = 512) WHERE deleted_at IS NULL;
  -- Without these statistics, the planner assumes that every word is rare.
  CREATE STATISTICS links_text ON (slug || E'\n' || url || E'\n' || coalesce(title, '')) FROM links;

  -- Not part of links, because counters change with every click and links has many indexes.
  CREATE TABLE link_counters (
    link_id uuid PRIMARY KEY REFERENCES links,
    workspace_id uuid NOT NULL,
    total bigint NOT NULL,
    human bigint NOT NULL,
    last_clicked_at timestamptz(3)
  );
  CREATE INDEX link_counters_by_total ON link_counters (workspace_id, total, link_id);
`

const clicks = `
  -- A click either has its own slug and url, or refers to a row of click_targets. ahead is true if the time in the ID
  -- is later than occurred_at, because a clock ran ahead, and otherwise null.
  CREATE TABLE clicks (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    link_id uuid NOT NULL,
    tx bigint NOT NULL,
    occurred_at timestamptz(3) NOT NULL,
    event_id uuid,
    target_id integer,
    bot boolean NOT NULL,
    ahead boolean,
    slug text,
    url text,
    referrer text,
    referrer_host text,
    country text,
    region text,
    city text,
    browser text,
    os text,
    device text,
    language text,
    utm_source text,
    utm_medium text,
    utm_campaign text,
    utm_term text,
    utm_content text,
    source text,
    ip text,
    visitor text,
    CONSTRAINT clicks_by_link PRIMARY KEY (link_id, id)
  ) PARTITION BY RANGE (id);
  -- The feed is sorted by transaction and ID. The ID is not in the index, so that all clicks of a transaction share an
  -- entry.
  CREATE INDEX clicks_by_transaction ON clicks (workspace_id, tx);
  CREATE INDEX clicks_by_link_transaction ON clicks (link_id, tx);
  CREATE INDEX clicks_by_id ON clicks USING brin (id) WITH (autosummarize = on);
  -- Queries that find times by ID must include these clicks. The index is almost always empty.
  CREATE INDEX clicks_ahead ON clicks (workspace_id) WHERE ahead;

  -- Slugs and destinations that many clicks share. The index has a hash, because a URL may exceed the index limit.
  CREATE TABLE click_targets (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    link_id uuid NOT NULL,
    slug text NOT NULL,
    url text NOT NULL
  );
  CREATE UNIQUE INDEX click_targets_key ON click_targets (link_id, slug, md5(url));

  CREATE TABLE visitor_salts (
    day date PRIMARY KEY,
    salt bytea NOT NULL
  );
`

const events = `
  -- The body is text, not jsonb, because its bytes are signed and must be the same in every attempt.
  CREATE TABLE events (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    tx bigint NOT NULL,
    type text NOT NULL,
    link_id uuid,
    body text NOT NULL
  ) PARTITION BY RANGE (id);
  CREATE INDEX events_by_workspace ON events (workspace_id, id);
  CREATE INDEX events_by_type ON events (workspace_id, type, id);
  CREATE INDEX events_by_link ON events (link_id, id) WHERE link_id IS NOT NULL;
  -- The feed is sorted by transaction and ID.
  CREATE INDEX events_feed ON events (workspace_id, tx, id);
  CREATE INDEX events_feed_by_type ON events (workspace_id, type, tx, id);
  CREATE INDEX events_feed_by_link ON events (link_id, tx, id) WHERE link_id IS NOT NULL;
`

const webhooks = `
  CREATE TABLE webhooks (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces,
    url text NOT NULL,
    events text[] NOT NULL,
    description text,
    status text NOT NULL,
    disabled_reason text,
    max_in_flight smallint NOT NULL,
    sealed_secret bytea NOT NULL,
    secret_hint text NOT NULL,
    sealed_old_secret bytea,
    old_secret_ends_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    deleted_at timestamptz(3)
  );
  CREATE INDEX webhooks_by_workspace ON webhooks (workspace_id, id) WHERE deleted_at IS NULL;

  -- A lane is the queue of one webhook. Not part of webhooks, because the worker that holds a lane updates it with
  -- every delivery. The fill factor leaves space for new row versions.
  CREATE TABLE lanes (
    webhook_id uuid PRIMARY KEY REFERENCES webhooks,
    holder uuid,
    woken boolean NOT NULL DEFAULT false,
    last_sequence bigint NOT NULL DEFAULT 0,
    paused_until timestamptz(3),
    failures_in_a_row integer NOT NULL DEFAULT 0,
    probe_at timestamptz(3),
    emitted bigint NOT NULL DEFAULT 0,
    succeeded bigint NOT NULL DEFAULT 0,
    failed bigint NOT NULL DEFAULT 0,
    canceled bigint NOT NULL DEFAULT 0,
    attempts bigint NOT NULL DEFAULT 0,
    last_success_at timestamptz(3),
    resumed_at timestamptz(3),
    failing_since timestamptz(3),
    last_failure_at timestamptz(3),
    failures_since integer NOT NULL DEFAULT 0,
    warned_at timestamptz(3),
    last_error jsonb
  ) WITH (fillfactor = 50);
  CREATE INDEX lanes_by_holder ON lanes (holder) WHERE holder IS NOT NULL;
  CREATE INDEX lanes_failing ON lanes (failing_since) WHERE failing_since IS NOT NULL;

  CREATE TABLE lane_hours (
    webhook_id uuid NOT NULL,
    hour timestamptz(3) NOT NULL,
    attempts integer NOT NULL,
    successes integer NOT NULL,
    PRIMARY KEY (webhook_id, hour)
  ) WITH (fillfactor = 50);

  -- Webhooks that receive events, and whether a new event can be sent to each immediately.
  CREATE VIEW subscriptions AS
  SELECT webhooks.id AS webhook_id, webhooks.workspace_id, webhooks.events,
    webhooks.status = 'active'
      AND (lanes.paused_until IS NULL OR lanes.paused_until <= now())
      AND (lanes.probe_at IS NULL OR lanes.probe_at <= now()) AS is_ready,
    lanes.failures_in_a_row = 0 AND lanes.last_success_at IS NOT NULL
      AND lanes.last_success_at > COALESCE(lanes.resumed_at, '-infinity') AS is_proven
  FROM webhooks JOIN lanes ON lanes.webhook_id = webhooks.id
  WHERE webhooks.deleted_at IS NULL;
`

const deliveries = `
  CREATE TABLE deliveries (
    webhook_id uuid NOT NULL,
    id uuid NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    status text NOT NULL,
    priority smallint NOT NULL,
    sequence bigint,
    attempt_count integer NOT NULL DEFAULT 0,
    schedule_start integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz(3),
    completed_at timestamptz(3),
    end_reason text,
    test boolean NOT NULL DEFAULT false,
    last_error_class text,
    PRIMARY KEY (webhook_id, id)
  ) PARTITION BY RANGE (id);
  -- Lanes claim due deliveries with this index, which contains only pending deliveries.
  CREATE INDEX deliveries_due ON deliveries (webhook_id, priority, next_attempt_at, id) WHERE status = 'pending';
  CREATE INDEX deliveries_unusual ON deliveries (webhook_id, status, id) WHERE status <> 'succeeded';
  CREATE INDEX deliveries_by_type ON deliveries (webhook_id, event_type, id);
  CREATE INDEX deliveries_by_event ON deliveries (event_id);
  CREATE INDEX deliveries_tried ON deliveries (webhook_id, id) WHERE attempt_count > 0;
  CREATE INDEX deliveries_by_error ON deliveries (webhook_id, last_error_class, id) WHERE last_error_class IS NOT NULL;

  -- New deliveries that lanes.emitted does not include yet. If transactions updated the lane instead, they would wait
  -- for each other.
  CREATE TABLE uncounted_deliveries (
    webhook_id uuid NOT NULL,
    count integer NOT NULL
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
  CREATE INDEX uncounted_deliveries_by_webhook ON uncounted_deliveries (webhook_id);

  -- Partitioned by delivery ID, so that attempts are dropped together with their delivery.
  CREATE TABLE attempts (
    delivery_id uuid NOT NULL,
    number integer NOT NULL,
    id uuid NOT NULL,
    started_at timestamptz(3) NOT NULL,
    duration_ms integer NOT NULL,
    status_code smallint,
    error_class text,
    error_message text,
    error_phase text,
    remote_address text,
    request_headers text NOT NULL,
    response_headers text,
    response_body text,
    response_truncated boolean NOT NULL,
    timings real[] NOT NULL,
    PRIMARY KEY (delivery_id, number)
  ) PARTITION BY RANGE (delivery_id);

  CREATE TABLE workers (
    id uuid PRIMARY KEY,
    alive_until timestamptz(3) NOT NULL,
    leaving boolean NOT NULL DEFAULT false
  );
`

const replays = `
  -- source is deliveries or events. position and until are IDs of deliveries or events.
  CREATE TABLE replays (
    id uuid PRIMARY KEY,
    webhook_id uuid NOT NULL REFERENCES webhooks,
    source text NOT NULL,
    status text,
    types text[],
    position uuid NOT NULL,
    until uuid NOT NULL,
    after_tx bigint,
    finished_at timestamptz(3)
  );
  CREATE INDEX replays_unfinished ON replays (id) WHERE finished_at IS NULL;
`

const analytics = `
  CREATE TYPE click_dimension AS ENUM (
    'country', 'region', 'city', 'referrer_host', 'browser', 'os', 'device', 'language',
    'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'source', 'link'
  );
  CREATE TYPE click_grain AS ENUM ('hour', 'day', 'month');

  -- A subject is a link or a workspace. Links have rows by day and month, workspaces also by hour. Clicks without a
  -- value have no row. Values beyond the limit share a row with an empty key. since is the roller's step that inserted
  -- the row of a day. The fill factors leave space, because rows are updated until their day ends.
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
  ) WITH (fillfactor = 85);
  CREATE INDEX click_counts_truncated ON click_counts (subject, dimension, at) WHERE grain = 'day' AND key = '';

  -- Totals by quarter hour, because UTC offsets of time zones are multiples of 15 minutes.
  CREATE TABLE click_totals (
    subject uuid NOT NULL,
    at timestamptz NOT NULL,
    clicks integer NOT NULL,
    human integer NOT NULL,
    PRIMARY KEY (subject, at)
  ) WITH (fillfactor = 85);

  -- own_values is the number of values with a row in click_counts, by dimension.
  CREATE TABLE click_days (
    subject uuid NOT NULL,
    day timestamptz NOT NULL,
    clicks integer NOT NULL,
    human integer NOT NULL,
    visitors integer NOT NULL,
    own_values jsonb NOT NULL,
    PRIMARY KEY (subject, day)
  ) WITH (fillfactor = 85);

  -- Visitors that were already counted, for days that may still receive clicks.
  CREATE TABLE counted_visitors (
    workspace_id uuid NOT NULL,
    day timestamptz NOT NULL,
    subject uuid NOT NULL,
    visitor uuid NOT NULL,
    PRIMARY KEY (workspace_id, day, subject, visitor)
  );

  -- Clicks whose transaction precedes tx are counted. counted_visitors contains the days from visitors_from on.
  CREATE TABLE analytics_places (
    workspace_id uuid PRIMARY KEY,
    tx bigint NOT NULL,
    step integer NOT NULL,
    visitors_from timestamptz NOT NULL
  );

  -- One row. Retention has not dropped any clicks since kept_from.
  CREATE TABLE click_retention (kept_from timestamptz NOT NULL);
  INSERT INTO click_retention (kept_from) VALUES ('-infinity');
`

const dashboardSessions = `
  CREATE TABLE dashboard_sessions (
    id uuid PRIMARY KEY,
    hash bytea NOT NULL UNIQUE,
    token_id uuid NOT NULL REFERENCES tokens,
    created_at timestamptz(3) NOT NULL,
    last_used_at timestamptz(3) NOT NULL
  );
  CREATE INDEX dashboard_sessions_by_token ON dashboard_sessions (token_id);

  -- One-time codes for signing in.
  CREATE TABLE dashboard_codes (
    hash bytea PRIMARY KEY,
    token_id uuid NOT NULL REFERENCES tokens,
    expires_at timestamptz(3) NOT NULL
  );
`

const imports = `
  CREATE TABLE imports (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    token_id uuid NOT NULL,
    address text,
    request_id text,
    status text NOT NULL,
    layout jsonb NOT NULL,
    on_conflict text NOT NULL,
    dry_run boolean NOT NULL,
    notify boolean NOT NULL,
    bytes bigint NOT NULL,
    body_offset bigint NOT NULL,
    line integer NOT NULL,
    is_in_long_line boolean NOT NULL,
    ignored_columns text[] NOT NULL,
    preview jsonb NOT NULL,
    created integer NOT NULL,
    updated integer NOT NULL,
    skipped integer NOT NULL,
    failed integer NOT NULL,
    attempts integer NOT NULL,
    runner uuid,
    lease_until timestamptz(3),
    error text,
    touched_at timestamptz(3) NOT NULL,
    accepted_at timestamptz(3),
    started_at timestamptz(3),
    finished_at timestamptz(3)
  );
  CREATE INDEX imports_by_workspace ON imports (workspace_id, id);
  -- Unfinished imports in the order in which they start.
  CREATE INDEX imports_unfinished ON imports (accepted_at, id) WHERE status IN ('waiting', 'running');

  -- The uploaded file in chunks.
  CREATE TABLE import_chunks (
    import_id uuid REFERENCES imports ON DELETE CASCADE,
    number integer,
    bytes bytea NOT NULL,
    PRIMARY KEY (import_id, number)
  );

  CREATE TABLE import_faults (
    import_id uuid REFERENCES imports ON DELETE CASCADE,
    line integer,
    faults jsonb NOT NULL,
    content text NOT NULL,
    PRIMARY KEY (import_id, line)
  );

  -- Slugs and external IDs that a dry run has used. Later lines must not reuse them.
  CREATE TABLE import_dry_run_keys (
    import_id uuid REFERENCES imports ON DELETE CASCADE,
    key text COLLATE "C",
    PRIMARY KEY (import_id, key)
  );
`

const idempotency = `
  CREATE TABLE idempotent_answers (
    token_id uuid NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    sealed_body bytea NOT NULL,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (token_id, key)
  );
  CREATE INDEX idempotent_answers_by_age ON idempotent_answers (created_at);
`

const infrastructure = `
  -- Unlogged, because the counts of the current minute can be lost in a crash.
  CREATE UNLOGGED TABLE rate_windows (
    key uuid NOT NULL,
    window_start timestamptz(3) NOT NULL,
    used integer NOT NULL,
    PRIMARY KEY (key, window_start)
  );

  -- One row: the cluster whose transaction IDs the feeds use (platform/database/feed-epoch.ts).
  CREATE TABLE feed_epoch (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    cluster bigint NOT NULL,
    first_tx bigint NOT NULL
  );
  INSERT INTO feed_epoch (cluster, first_tx) SELECT system_identifier, 0 FROM pg_control_system();

  -- Fingerprints of TOKEN_PEPPER and ENCRYPTION_KEY. The service does not start with other secrets.
  CREATE TABLE secret_fingerprints (
    setting text NOT NULL,
    fingerprint text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (setting, fingerprint)
  );

  -- Creates UUIDv7 IDs for rows that are inserted by SQL. PostgreSQL 18 has a faster built-in function. The other
  -- function adds the fraction of the millisecond (RFC 9562, method 3), so that IDs of one millisecond are sorted.
  DO $$ BEGIN
    IF to_regprocedure('pg_catalog.uuidv7()') IS NOT NULL THEN
      CREATE FUNCTION new_id() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS 'SELECT uuidv7()';
    ELSE
      CREATE FUNCTION new_id() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $new_id$
        SELECT encode(
          substring(int8send(micros / 1000) FROM 3) ||
          int2send((28672 + (micros % 1000) * 4096 / 1000)::smallint) ||
          substring(uuid_send(gen_random_uuid()) FROM 9),
          'hex')::uuid
        FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS micros) AS clock
      $new_id$;
    END IF;
  END $$;
`
