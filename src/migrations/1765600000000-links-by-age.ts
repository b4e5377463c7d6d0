import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * A small index, of a few kilobytes, that says which pages of the table have links of which age. Without it a search
 * for a word that very many links have, but none at the beginning of the list, fetched all of them.
 */
export class LinksByAge1765600000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`CREATE INDEX links_by_age ON links USING brin (created_at) WITH (autosummarize = on)`)
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP INDEX links_by_age`)
  }
}
