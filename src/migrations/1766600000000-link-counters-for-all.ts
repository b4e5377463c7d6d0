import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Creates the counters of a link with the link, so that a list by clicks is one index. Removes the tables that triggers
 * kept for lists by tag and for links without clicks.
 */
export class LinkCountersForAll1766600000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`LOCK TABLE links, link_counters IN SHARE ROW EXCLUSIVE MODE`)
    await db.query(`DROP TRIGGER link_tags_of_new ON links`)
    await db.query(`DROP TRIGGER link_tags_of_changed ON links`)
    await db.query(`DROP TRIGGER unclicked_links_of_changed ON links`)
    await db.query(`DROP TRIGGER unclicked_links_of_counted ON link_counters`)
    await db.query(
      `DROP FUNCTION keep_link_tags, keep_tags_of_new_links, keep_unclicked_links, forget_clicked_links`,
    )
    await db.query(`DROP TABLE link_tags, tag_counts, tag_changes, unclicked_links`)
    await db.query(`DROP INDEX links_by_age`)
    await db.query(
      `INSERT INTO link_counters (link_id, workspace_id, total, human)
       SELECT id, workspace_id, 0, 0 FROM links ON CONFLICT DO NOTHING`,
    )
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only; restore a backup to go back.'))
  }
}
