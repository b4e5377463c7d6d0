import type { MigrationInterface, QueryRunner } from 'typeorm'

export class InitialSchema1763700000000 implements MigrationInterface {
  /** The name that existing databases have recorded. Under another one the migration would be applied again. */
  name = 'Ground1763700000000'

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE workspaces (
        id uuid PRIMARY KEY,
        name text NOT NULL CONSTRAINT workspaces_name_key UNIQUE,
        created_at timestamptz(3) NOT NULL
      )`)

    await db.query(`
      CREATE TABLE tokens (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL CONSTRAINT tokens_workspace_id_fkey REFERENCES workspaces,
        name text NOT NULL,
        scopes text[] NOT NULL,
        hash bytea NOT NULL CONSTRAINT tokens_hash_key UNIQUE,
        prefix text NOT NULL,
        last4 text NOT NULL,
        created_by uuid CONSTRAINT tokens_created_by_fkey REFERENCES tokens,
        rotated_from uuid CONSTRAINT tokens_rotated_from_fkey REFERENCES tokens,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3),
        revoked_at timestamptz(3),
        last_used_at timestamptz(3)
      )`)
    await db.query(`CREATE INDEX tokens_by_workspace ON tokens (workspace_id, id)`)
    await db.query(`CREATE INDEX tokens_by_creator ON tokens (created_by)`)

    await db.query(`
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
      ) PARTITION BY RANGE (id)`)
    await db.query(`CREATE INDEX audit_log_by_workspace ON audit_log (workspace_id, id)`)

    await db.query(`
      CREATE TABLE idempotent_answers (
        token_id uuid NOT NULL,
        key text NOT NULL,
        fingerprint bytea NOT NULL,
        status smallint NOT NULL,
        sealed_body bytea NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT idempotent_answers_pkey PRIMARY KEY (token_id, key)
      )`)
    await db.query(`CREATE INDEX idempotent_answers_by_age ON idempotent_answers (created_at)`)

    // Counts of the current minute: worth nothing after a crash, so they need no write-ahead log.
    await db.query(`
      CREATE UNLOGGED TABLE rate_windows (
        token_id uuid NOT NULL,
        window_start timestamptz(3) NOT NULL,
        used integer NOT NULL,
        CONSTRAINT rate_windows_pkey PRIMARY KEY (token_id, window_start)
      )`)
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only; restore a backup to go back.'))
  }
}
