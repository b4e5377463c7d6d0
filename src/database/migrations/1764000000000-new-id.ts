import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Ids that a statement makes by itself: UUIDv7, with the part of the millisecond behind it as RFC 9562 allows, so that ids
 * of one millisecond are in order too. PostgreSQL has a function of its own for this from version 18 on.
 */
export class NewId1764000000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE FUNCTION new_id() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
        SELECT encode(
          substring(int8send(micros / 1000) FROM 3) ||
          int2send((28672 + (micros % 1000) * 4096 / 1000)::smallint) ||
          substring(uuid_send(gen_random_uuid()) FROM 9),
          'hex')::uuid
        FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS micros) AS clock
      $$`)
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only; restore a backup to go back.'))
  }
}
