import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Keeps what the service needs to say what became of things. The columns begin empty, so no table is rewritten. */
export class Explained1764400000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    // Null where no webhook wanted the click, and for the clicks of earlier versions.
    await db.query(`ALTER TABLE clicks ADD COLUMN event_id uuid`)
    // Null for the attempts of earlier versions.
    await db.query(`ALTER TABLE attempts ADD COLUMN request_headers text`)
    // Earlier uses of a token are not known. Its scopes are watched from now on, and new tokens from their beginning.
    await db.query(`
      ALTER TABLE tokens
        ADD COLUMN used_scopes text[] NOT NULL DEFAULT '{}',
        ADD COLUMN scopes_watched_since timestamptz(3) NOT NULL DEFAULT now()`)
    // Replays of events have a table of their own, because workers of the version before take each row of `replays` for
    // deliveries that exist already.
    await db.query(`
      CREATE TABLE event_replays (
        id uuid PRIMARY KEY,
        webhook_id uuid NOT NULL CONSTRAINT event_replays_webhook_id_fkey REFERENCES webhooks,
        types text[] NOT NULL,
        position uuid NOT NULL,
        until uuid NOT NULL,
        after_tx bigint NOT NULL,
        finished_at timestamptz(3)
      )`)
    await db.query(`CREATE INDEX event_replays_unfinished ON event_replays (id) WHERE finished_at IS NULL`)
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only; restore a backup to go back.'))
  }
}
