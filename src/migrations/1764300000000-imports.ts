import type { MigrationInterface, QueryRunner } from 'typeorm'

export class Imports1764300000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
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
      )`)
    await db.query(`CREATE INDEX imports_by_workspace ON imports (workspace_id, id)`)
    // The few imports that are not over, in the order in which they begin.
    await db.query(
      `CREATE INDEX imports_unfinished ON imports (accepted_at, id) WHERE status IN ('waiting', 'running')`,
    )
    await db.query(`
      CREATE TABLE import_chunks (
        import_id uuid CONSTRAINT import_chunks_import_id_fkey REFERENCES imports ON DELETE CASCADE,
        number integer,
        bytes bytea NOT NULL,
        PRIMARY KEY (import_id, number)
      )`)
    await db.query(`
      CREATE TABLE import_faults (
        import_id uuid CONSTRAINT import_faults_import_id_fkey REFERENCES imports ON DELETE CASCADE,
        line integer,
        faults jsonb NOT NULL,
        content text NOT NULL,
        PRIMARY KEY (import_id, line)
      )`)
    // The slugs and external ids that a dry run would have taken so far. Later lines may not have them again.
    await db.query(`
      CREATE TABLE import_dry_run_keys (
        import_id uuid CONSTRAINT import_dry_run_keys_import_id_fkey REFERENCES imports ON DELETE CASCADE,
        key text COLLATE "C",
        PRIMARY KEY (import_id, key)
      )`)
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only; restore a backup to go back.'))
  }
}
