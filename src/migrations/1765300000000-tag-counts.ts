import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Keeps how many links have a tag, because counting them took seconds for a million. A statement that writes links adds
 * rows to `tag_changes`, so it waits for no other one. A job adds them up in `tag_counts`. The number of links is the
 * sum over both tables.
 */
export class TagCounts1765300000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    // Whoever writes links waits meanwhile: about two seconds for a million links with two tags each.
    await db.query(`LOCK TABLE links IN SHARE ROW EXCLUSIVE MODE`)
    await db.query(
      `CREATE TABLE tag_counts (
         workspace_id uuid NOT NULL, tag text COLLATE "C" NOT NULL, links bigint NOT NULL, PRIMARY KEY (workspace_id, tag))`,
    )
    await db.query(
      `CREATE TABLE tag_changes (
         workspace_id uuid NOT NULL, id bigint GENERATED ALWAYS AS IDENTITY, tag text COLLATE "C" NOT NULL,
         links bigint NOT NULL, PRIMARY KEY (workspace_id, id))`,
    )
    await db.query(
      `INSERT INTO tag_counts SELECT workspace_id, tag, count(*) FROM link_tags GROUP BY workspace_id, tag`,
    )
    // The trigger runs once for a statement: a thousand links with the same tags are one change for each tag.
    await db.query(`
      CREATE FUNCTION keep_tags_of_new_links() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        WITH tagged AS (
          INSERT INTO link_tags SELECT workspace_id, tag, id FROM made, unnest(tags) AS tag WHERE deleted_at IS NULL
          ON CONFLICT DO NOTHING RETURNING workspace_id, tag
        )
        INSERT INTO tag_changes (workspace_id, tag, links)
        SELECT workspace_id, tag, count(*) FROM tagged GROUP BY workspace_id, tag;
        RETURN NULL;
      END $$`)
    await db.query(`DROP TRIGGER link_tags_of_new ON links`)
    await db.query(`
      CREATE TRIGGER link_tags_of_new AFTER INSERT ON links REFERENCING NEW TABLE AS made
      FOR EACH STATEMENT EXECUTE FUNCTION keep_tags_of_new_links()`)
    await db.query(`
      CREATE OR REPLACE FUNCTION keep_link_tags() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        had text[] := CASE WHEN OLD.deleted_at IS NULL THEN OLD.tags ELSE '{}' END;
        has text[] := CASE WHEN NEW.deleted_at IS NULL THEN NEW.tags ELSE '{}' END;
      BEGIN
        WITH lost AS (
          DELETE FROM link_tags
          WHERE workspace_id = OLD.workspace_id AND tag = ANY(had COLLATE "C") AND link_id = OLD.id
            AND tag <> ALL(has COLLATE "C")
          RETURNING workspace_id, tag
        ), won AS (
          INSERT INTO link_tags SELECT NEW.workspace_id, tag, NEW.id FROM unnest(has) AS tag WHERE tag <> ALL(had)
          ON CONFLICT DO NOTHING RETURNING workspace_id, tag
        )
        INSERT INTO tag_changes (workspace_id, tag, links)
        SELECT workspace_id, tag, -1 FROM lost UNION ALL SELECT workspace_id, tag, 1 FROM won;
        RETURN NULL;
      END $$`)
    await db.query(`ANALYZE tag_counts`)
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only; restore a backup to go back.'))
  }
}
