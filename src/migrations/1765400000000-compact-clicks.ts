import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Many clicks with the same slug and address refer to one row that has them. An installation that begins with this
 * version also has fewer indexes of clicks. In any other one processes of the version before may still run, and they
 * name the key of `clicks` when they write.
 */
export class CompactClicks1765400000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE click_targets (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        link_id uuid NOT NULL,
        slug text NOT NULL,
        url text NOT NULL
      )`)
    // An address may be longer than an index allows.
    await db.query(`CREATE UNIQUE INDEX click_targets_key ON click_targets (link_id, slug, md5(url))`)
    await db.query(`
      ALTER TABLE clicks
        ALTER COLUMN slug DROP NOT NULL,
        ALTER COLUMN url DROP NOT NULL,
        ADD COLUMN target_id integer`)
    await db.query(`CREATE TABLE click_form (is_compact boolean PRIMARY KEY)`)
    await db.query(`INSERT INTO click_form (is_compact) SELECT NOT EXISTS (SELECT FROM workspaces)`)
    await db.query(`
      DO $$ BEGIN
        IF (SELECT is_compact FROM click_form) THEN
          ALTER TABLE clicks DROP CONSTRAINT clicks_pkey;
          DROP INDEX clicks_by_link;
          ALTER TABLE clicks ADD CONSTRAINT clicks_by_link PRIMARY KEY (link_id, id);
          CREATE INDEX clicks_by_id ON clicks USING brin (id) WITH (autosummarize = on);
        END IF;
      END $$`)
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only; restore a backup to go back.'))
  }
}
