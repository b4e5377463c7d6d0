import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Keeps since when a lane is judged anew. Earlier successes say nothing about a webhook that got another address, or
 * was paused or disabled. The column has no default, so nothing waits and nothing is rewritten.
 */
export class ResumedLanes1765700000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE lanes ADD COLUMN resumed_at timestamptz(3)`)
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only; restore a backup to go back.'))
  }
}
