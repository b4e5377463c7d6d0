import type { MigrationInterface, QueryRunner } from 'typeorm'

export class LinksAndClicks1763800000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    // pg_trgm is a trusted extension: whoever owns the database may create it.
    await db.query(`CREATE EXTENSION IF NOT EXISTS pg_trgm`)
    await db.query(`
      CREATE TABLE links (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL CONSTRAINT links_workspace_id_fkey REFERENCES workspaces,
        slug text COLLATE "C" NOT NULL CONSTRAINT links_slug_key UNIQUE,
        url text NOT NULL,
        title text,
        tags text[] NOT NULL,
        external_id text,
        redirect_status smallint NOT NULL,
        forward_query boolean NOT NULL,
        enabled boolean NOT NULL,
        expires_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        deleted_at timestamptz(3)
      )`)
    // A deleted link keeps its slug for ever, but another link may take its external id.
    await db.query(
      `CREATE UNIQUE INDEX links_external_id_key ON links (workspace_id, external_id) WHERE deleted_at IS NULL AND external_id IS NOT NULL`,
    )
    await db.query(`CREATE INDEX links_by_workspace ON links (workspace_id, id) WHERE deleted_at IS NULL`)
    await db.query(
      `CREATE INDEX links_disabled ON links (workspace_id, id) WHERE deleted_at IS NULL AND NOT enabled`,
    )
    await db.query(`CREATE INDEX links_by_tag ON links USING gin (tags) WHERE deleted_at IS NULL`)
    // Without fast updates: a search must not have to go through a list of pending entries.
    await db.query(
      `CREATE INDEX links_by_text ON links USING gin ((slug || E'\\n' || url || E'\\n' || coalesce(title, '')) gin_trgm_ops)
       WITH (fastupdate = off) WHERE deleted_at IS NULL`,
    )

    // Counters are apart from the links, because they change with every click and the links have many indexes.
    await db.query(`
      CREATE TABLE link_counters (
        link_id uuid PRIMARY KEY CONSTRAINT link_counters_link_id_fkey REFERENCES links,
        workspace_id uuid NOT NULL,
        total bigint NOT NULL,
        human bigint NOT NULL,
        last_clicked_at timestamptz(3)
      )`)
    await db.query(`CREATE INDEX link_counters_by_total ON link_counters (workspace_id, total, link_id)`)

    await db.query(`
      CREATE TABLE clicks (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL,
        link_id uuid NOT NULL,
        tx bigint NOT NULL,
        slug text NOT NULL,
        url text NOT NULL,
        occurred_at timestamptz(3) NOT NULL,
        bot boolean NOT NULL,
        referrer text,
        referrer_host text,
        country text,
        browser text,
        os text,
        device text,
        language text,
        ip text,
        visitor text
      ) PARTITION BY RANGE (id)`)
    await db.query(`CREATE INDEX clicks_by_link ON clicks (link_id, id)`)
    // The order of the feed: a transaction's number, then the id (see platform/database/feed-place.ts).
    await db.query(`CREATE INDEX clicks_feed ON clicks (workspace_id, tx, id)`)
    await db.query(`CREATE INDEX clicks_feed_by_link ON clicks (link_id, tx, id)`)

    await db.query(`CREATE TABLE visitor_salts (day date PRIMARY KEY, salt bytea NOT NULL)`)
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only; restore a backup to go back.'))
  }
}
