import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Who is signed in to the dashboard, and the codes that sign in. The tables are new, so nothing waits. */
export class DashboardSessions1764700000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE dashboard_sessions (
        id uuid PRIMARY KEY,
        hash bytea NOT NULL CONSTRAINT dashboard_sessions_hash_key UNIQUE,
        token_id uuid NOT NULL CONSTRAINT dashboard_sessions_token_id_fkey REFERENCES tokens,
        created_at timestamptz(3) NOT NULL,
        last_used_at timestamptz(3) NOT NULL
      )`)
    await db.query(`CREATE INDEX dashboard_sessions_by_token ON dashboard_sessions (token_id)`)
    await db.query(`
      CREATE TABLE dashboard_codes (
        hash bytea PRIMARY KEY,
        token_id uuid NOT NULL CONSTRAINT dashboard_codes_token_id_fkey REFERENCES tokens,
        expires_at timestamptz(3) NOT NULL
      )`)
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only; restore a backup to go back.'))
  }
}
