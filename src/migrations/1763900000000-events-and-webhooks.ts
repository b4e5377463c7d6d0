import type { MigrationInterface, QueryRunner } from 'typeorm'

export class EventsAndWebhooks1763900000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    // The body is text and not jsonb: its bytes are signed, and must be the same at every attempt.
    await db.query(`
      CREATE TABLE events (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL,
        tx bigint NOT NULL,
        type text NOT NULL,
        link_id uuid,
        body text NOT NULL
      ) PARTITION BY RANGE (id)`)
    await db.query(`CREATE INDEX events_by_workspace ON events (workspace_id, id)`)
    await db.query(`CREATE INDEX events_by_type ON events (workspace_id, type, id)`)
    await db.query(`CREATE INDEX events_by_link ON events (link_id, id) WHERE link_id IS NOT NULL`)
    // The order of the feed, as for clicks: a transaction's number, then the id.
    await db.query(`CREATE INDEX events_feed ON events (workspace_id, tx, id)`)
    await db.query(`CREATE INDEX events_feed_by_type ON events (workspace_id, type, tx, id)`)
    await db.query(`CREATE INDEX events_feed_by_link ON events (link_id, tx, id) WHERE link_id IS NOT NULL`)

    await db.query(`
      CREATE TABLE webhooks (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL CONSTRAINT webhooks_workspace_id_fkey REFERENCES workspaces,
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
      )`)
    await db.query(
      `CREATE INDEX webhooks_by_workspace ON webhooks (workspace_id, id) WHERE deleted_at IS NULL`,
    )

    // Lanes have what changes with every delivery, apart from webhooks, which people change. Nearly all of it is
    // written by the worker that holds the lane.
    await db.query(`
      CREATE TABLE lanes (
        webhook_id uuid PRIMARY KEY CONSTRAINT lanes_webhook_id_fkey REFERENCES webhooks,
        holder uuid,
        woken boolean NOT NULL DEFAULT false,
        last_sequence bigint NOT NULL DEFAULT 0,
        paused_until timestamptz(3),
        failures_in_a_row integer NOT NULL DEFAULT 0,
        probe_at timestamptz(3),
        succeeded bigint NOT NULL DEFAULT 0,
        failed bigint NOT NULL DEFAULT 0,
        canceled bigint NOT NULL DEFAULT 0,
        attempts bigint NOT NULL DEFAULT 0,
        last_success_at timestamptz(3),
        failing_since timestamptz(3),
        last_failure_at timestamptz(3),
        failures_since integer NOT NULL DEFAULT 0,
        warned_at timestamptz(3)
      ) WITH (fillfactor = 50)`)
    await db.query(`CREATE INDEX lanes_by_holder ON lanes (holder) WHERE holder IS NOT NULL`)
    await db.query(`CREATE INDEX lanes_failing ON lanes (failing_since) WHERE failing_since IS NOT NULL`)

    await db.query(`
      CREATE TABLE lane_hours (
        webhook_id uuid NOT NULL,
        hour timestamptz(3) NOT NULL,
        attempts integer NOT NULL,
        successes integer NOT NULL,
        CONSTRAINT lane_hours_pkey PRIMARY KEY (webhook_id, hour)
      ) WITH (fillfactor = 50)`)

    await db.query(`
      CREATE TABLE workers (
        id uuid PRIMARY KEY,
        alive_until timestamptz(3) NOT NULL
      )`)

    await db.query(`
      CREATE TABLE deliveries (
        webhook_id uuid NOT NULL,
        id uuid NOT NULL,
        event_id uuid NOT NULL,
        event_type text NOT NULL,
        status text NOT NULL,
        turn smallint NOT NULL,
        sequence bigint,
        attempt_count integer NOT NULL DEFAULT 0,
        schedule_start integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz(3),
        completed_at timestamptz(3),
        end_reason text,
        test boolean NOT NULL DEFAULT false,
        CONSTRAINT deliveries_pkey PRIMARY KEY (webhook_id, id)
      ) PARTITION BY RANGE (id)`)
    // A lane claims from this index, in the order of its turns. It holds only what is still to be sent.
    await db.query(
      `CREATE INDEX deliveries_due ON deliveries (webhook_id, turn, next_attempt_at, id) WHERE status = 'pending'`,
    )
    await db.query(
      `CREATE INDEX deliveries_unusual ON deliveries (webhook_id, status, id) WHERE status <> 'succeeded'`,
    )
    await db.query(`CREATE INDEX deliveries_by_type ON deliveries (webhook_id, event_type, id)`)
    await db.query(`CREATE INDEX deliveries_by_event ON deliveries (event_id)`)

    // Partitioned by the delivery's id, so that an attempt lives exactly as long as its delivery.
    await db.query(`
      CREATE TABLE attempts (
        delivery_id uuid NOT NULL,
        number integer NOT NULL,
        id uuid NOT NULL,
        started_at timestamptz(3) NOT NULL,
        duration_ms integer NOT NULL,
        status_code smallint,
        error_class text,
        error_message text,
        remote_address text,
        response_headers text,
        response_body text,
        response_truncated boolean NOT NULL,
        timings real[] NOT NULL,
        CONSTRAINT attempts_pkey PRIMARY KEY (delivery_id, number)
      ) PARTITION BY RANGE (delivery_id)`)
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only; restore a backup to go back.'))
  }
}
