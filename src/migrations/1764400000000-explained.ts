import type { MigrationInterface, QueryRunner } from 'typeorm'

/** What is kept so that the service can say what became of things. No table is rewritten: the columns begin empty. */
export class Explained1764400000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    // Null where no webhook wanted the click, and for the clicks of earlier versions.
    await db.query(`ALTER TABLE clicks ADD COLUMN event_id uuid`)
    // Null for the attempts of earlier versions.
    await db.query(`ALTER TABLE attempts ADD COLUMN request_headers text`)
    // What a token was used for before is not known: it is watched from now on, and new tokens from their beginning.
    await db.query(`
      ALTER TABLE tokens
        ADD COLUMN used_scopes text[] NOT NULL DEFAULT '{}',
        ADD COLUMN scopes_watched_since timestamptz(3) NOT NULL DEFAULT now()`)
    // A table of its own: workers of the version before take what is in `replays` for deliveries that are there already.
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
