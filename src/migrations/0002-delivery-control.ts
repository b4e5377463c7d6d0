/** Adds what callers can set for a webhook and a token beyond 0.1.0. */
import type { MigrationInterface, QueryRunner } from 'typeorm'

export class DeliveryControl0000000000002 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    const features = [filters, customHeaders, tokenRestrictions, notices, portal]
    for (const sql of features) await db.query(sql)
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations cannot be reverted. Restore a backup instead.'))
  }
}

const filters = `
  -- restricted_tags are the tags of the token that created the webhook. The webhook receives only events of links that
  -- have one of them.
  ALTER TABLE webhooks ADD COLUMN filter jsonb, ADD COLUMN restricted_tags text[];
`

const customHeaders = `
  -- The names are also in sealed_headers. They are shown even if ENCRYPTION_KEY has changed.
  ALTER TABLE webhooks ADD COLUMN header_names text[], ADD COLUMN sealed_headers bytea;
`

const tokenRestrictions = `
  -- restricted_tags of an import are the tags of the token that created it.
  ALTER TABLE tokens ADD COLUMN restrictions jsonb;
  ALTER TABLE imports ADD COLUMN restricted_tags text[];
`

const notices = `
  -- reported_at is when webhook.failing or webhook.disabled was recorded. It is kept until webhook.recovered is recorded.
  -- recovered_at is the first success after reported_at.
  ALTER TABLE lanes ADD COLUMN reported_at timestamptz(3), ADD COLUMN recovered_at timestamptz(3);
  UPDATE lanes SET reported_at = warned_at WHERE warned_at IS NOT NULL;
  CREATE INDEX lanes_recovered ON lanes (recovered_at) WHERE recovered_at IS NOT NULL;

  -- The number of days before its expiry for which a token was last reported as expiring: 7 or 1.
  ALTER TABLE tokens ADD COLUMN expiry_reported_days smallint;
  CREATE INDEX tokens_by_expiry ON tokens (expires_at) WHERE revoked_at IS NULL;
`

const portal = `
  -- A session of the webhook portal is limited to one webhook and these actions, and ends at ends_at.
  ALTER TABLE dashboard_sessions
    ADD COLUMN webhook_id uuid REFERENCES webhooks,
    ADD COLUMN actions text[],
    ADD COLUMN ends_at timestamptz(3);
  ALTER TABLE dashboard_codes ADD COLUMN webhook_id uuid REFERENCES webhooks, ADD COLUMN actions text[];
`
