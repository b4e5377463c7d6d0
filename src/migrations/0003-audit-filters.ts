/**
 * Adds indexes for filters of the audit log. Separate from 0002, so that their creation blocks only writes to the audit
 * log, and not the tables that 0002 changes.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm'

export class AuditFilters0000000000003 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('CREATE INDEX audit_log_by_action ON audit_log (workspace_id, action, id)')
    await db.query('CREATE INDEX audit_log_by_actor ON audit_log (workspace_id, actor_token_id, id)')
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations cannot be reverted. Restore a backup instead.'))
  }
}
