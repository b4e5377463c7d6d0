import type { MigrationInterface, QueryRunner } from 'typeorm'

export class Replays1763950000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE replays (
        id uuid PRIMARY KEY,
        webhook_id uuid NOT NULL CONSTRAINT replays_webhook_id_fkey REFERENCES webhooks,
        since timestamptz(3) NOT NULL,
        until timestamptz(3) NOT NULL,
        status text NOT NULL,
        events text[],
        position uuid NOT NULL,
        finished_at timestamptz(3)
      )`)
    await db.query(`CREATE INDEX replays_unfinished ON replays (id) WHERE finished_at IS NULL`)
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only; restore a backup to go back.'))
  }
}
