import type { MigrationInterface, QueryRunner } from 'typeorm'

/** An index that finds the entries of one object without reading the whole log of its workspace. */
export class AuditedLinks1764200000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    // Writers of the log wait while the index is built. The log has only tokens and webhooks so far, so it is short.
    await db.query(`CREATE INDEX audit_log_by_object ON audit_log (object_id, id)`)
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only; restore a backup to go back.'))
  }
}
