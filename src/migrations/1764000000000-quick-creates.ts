import type { MigrationInterface, QueryRunner } from 'typeorm'

/** What creating a link cost beside the link itself. */
export class QuickCreates1764000000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    // Ids that a statement makes by itself: UUIDv7, with the part of the millisecond behind it as RFC 9562 allows, so that
    // ids of one millisecond are in order too. PostgreSQL has such a function of its own from version 18 on.
    await db.query(`
      CREATE FUNCTION new_id() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
        SELECT encode(
          substring(int8send(micros / 1000) FROM 3) ||
          int2send((28672 + (micros % 1000) * 4096 / 1000)::smallint) ||
          substring(uuid_send(gen_random_uuid()) FROM 9),
          'hex')::uuid
        FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS micros) AS clock
      $$`)
    // A link has about a hundred entries in the index of words: adding them at once was two thirds of all work. Now they
    // are gathered for a few hundred links. A search reads what is gathered too; so little of it costs it nothing.
    await db.query(`ALTER INDEX links_by_words SET (fastupdate = on, gin_pending_list_limit = 512)`)
    // Each new link locked the row of its workspace, and all who created links at once shared that lock. The workspace
    // comes from a token, which has a foreign key of its own, and workspaces are never deleted.
    await db.query(`ALTER TABLE links DROP CONSTRAINT links_workspace_id_fkey`)
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only; restore a backup to go back.'))
  }
}
