import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Keeps up to which day a workspace has running sums. They replace its months, which older processes still read. */
export class RunningSums1764900000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE analytics_places ADD COLUMN sums_until timestamptz`)
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only; restore a backup to go back.'))
  }
}
