import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * One index of workspace, tags and text. A search for a rare tag and a common word reads only what has both, and links
 * of other workspaces cost it nothing.
 */
export class LinkSearch1763850000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    // btree_gin is trusted, as pg_trgm is: whoever owns the database may create it.
    await db.query(`CREATE EXTENSION IF NOT EXISTS btree_gin`)
    // Without fast updates: a search must not have to go through a list of pending entries.
    await db.query(
      `CREATE INDEX links_by_words ON links USING gin
         (workspace_id, tags, (slug || E'\\n' || url || E'\\n' || coalesce(title, '')) gin_trgm_ops)
       WITH (fastupdate = off) WHERE deleted_at IS NULL`,
    )
    await db.query(`DROP INDEX links_by_tag, links_by_text`)
    // Without these statistics the planner takes every word for a rare one.
    await db.query(
      `CREATE STATISTICS links_text ON (slug || E'\\n' || url || E'\\n' || coalesce(title, '')) FROM links`,
    )
    await db.query(`ANALYZE links`)
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only; restore a backup to go back.'))
  }
}
