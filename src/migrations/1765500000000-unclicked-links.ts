import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Keeps the links that were never clicked, in the order of their creation, for all and for each tag. A list by clicks
 * ends with them. Looking for them among a million links that nearly all were clicked took up to two seconds.
 */
export class UnclickedLinks1765500000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    // Whoever writes links or counts clicks waits meanwhile: about a second for a million links. Redirects do not.
    await db.query(`LOCK TABLE links, link_counters IN SHARE ROW EXCLUSIVE MODE`)
    // A link has a row without a tag, and one for each of its tags.
    await db.query(
      `CREATE TABLE unclicked_links (workspace_id uuid NOT NULL, tag text COLLATE "C" NOT NULL, link_id uuid NOT NULL)`,
    )
    await db.query(`
      INSERT INTO unclicked_links
      SELECT DISTINCT workspace_id, tag COLLATE "C", id FROM links, unnest(array_append(tags, '')) AS tag
      WHERE deleted_at IS NULL AND NOT EXISTS (SELECT FROM link_counters WHERE link_id = links.id) ORDER BY 1, 2, 3`)
    await db.query(
      `ALTER TABLE unclicked_links ADD CONSTRAINT unclicked_links_pkey PRIMARY KEY (workspace_id, tag, link_id)`,
    )
    // Most links are made one by one and without tags: those cost one row here and nothing else.
    await db.query(`
      CREATE OR REPLACE FUNCTION keep_tags_of_new_links() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO unclicked_links SELECT workspace_id, '', id FROM made WHERE deleted_at IS NULL;
        IF EXISTS (SELECT FROM made WHERE tags <> '{}') THEN
          WITH tagged AS (
            INSERT INTO link_tags SELECT workspace_id, tag, id FROM made, unnest(tags) AS tag WHERE deleted_at IS NULL
            ON CONFLICT DO NOTHING RETURNING workspace_id, tag, link_id
          ), unclicked AS (
            INSERT INTO unclicked_links SELECT workspace_id, tag, link_id FROM tagged
          )
          INSERT INTO tag_changes (workspace_id, tag, links)
          SELECT workspace_id, tag, count(*) FROM tagged GROUP BY workspace_id, tag;
        END IF;
        RETURN NULL;
      END $$`)
    await db.query(`
      CREATE FUNCTION keep_unclicked_links() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        had text[] := CASE WHEN OLD.deleted_at IS NULL THEN array_append(OLD.tags, '') ELSE '{}' END;
        has text[] := CASE WHEN NEW.deleted_at IS NULL THEN array_append(NEW.tags, '') ELSE '{}' END;
      BEGIN
        DELETE FROM unclicked_links
        WHERE workspace_id = OLD.workspace_id AND tag = ANY(had COLLATE "C") AND link_id = OLD.id
          AND tag <> ALL(has COLLATE "C");
        INSERT INTO unclicked_links SELECT NEW.workspace_id, tag, NEW.id FROM unnest(has) AS tag
        WHERE tag <> ALL(had) AND NOT EXISTS (SELECT FROM link_counters WHERE link_id = NEW.id) ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $$`)
    await db.query(`
      CREATE TRIGGER unclicked_links_of_changed AFTER UPDATE ON links
      FOR EACH ROW WHEN (OLD.tags IS DISTINCT FROM NEW.tags OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at)
      EXECUTE FUNCTION keep_unclicked_links()`)
    // Statements that count clicks wait for nobody here. A row that a change of its link has locked meanwhile may stay,
    // so readers look for the counter too.
    await db.query(`
      CREATE FUNCTION forget_clicked_links() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT FROM made) THEN
          DELETE FROM unclicked_links WHERE ctid = ANY(ARRAY(
            SELECT unclicked.ctid
            FROM made CROSS JOIN LATERAL (SELECT tags FROM links WHERE id = made.link_id LIMIT 1) AS link
            CROSS JOIN LATERAL unnest(array_append(link.tags, '')) AS known (tag)
            JOIN unclicked_links AS unclicked ON unclicked.workspace_id = made.workspace_id
              AND unclicked.tag = known.tag COLLATE "C" AND unclicked.link_id = made.link_id
            FOR UPDATE OF unclicked SKIP LOCKED));
        END IF;
        RETURN NULL;
      END $$`)
    await db.query(`
      CREATE TRIGGER unclicked_links_of_counted AFTER INSERT ON link_counters REFERENCING NEW TABLE AS made
      FOR EACH STATEMENT EXECUTE FUNCTION forget_clicked_links()`)
    await db.query(`ANALYZE unclicked_links`)
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only; restore a backup to go back.'))
  }
}
