import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Which pages of the table have links of an age: a few kilobytes. A search for a word that very many links have, but none
 * of those at the beginning of the list, fetched them all.
 */
export class LinksByAge1765600000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`CREATE INDEX links_by_age ON links USING brin (created_at) WITH (autosummarize = on)`)
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP INDEX links_by_age`)
  }
}
