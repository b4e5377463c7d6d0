import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Counts the active tokens of a workspace without reading its expired ones. Takes moments; tokens are few. */
export class ActiveTokens1766400000001 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`CREATE INDEX tokens_active ON tokens (workspace_id, expires_at) WHERE revoked_at IS NULL`)
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP INDEX tokens_active`)
  }
}
