/** Adds what callers can set for a webhook and a token beyond 0.1.0. */
import type { MigrationInterface, QueryRunner } from 'typeorm'

export class DeliveryControl0000000000002 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    const features = [filters, customHeaders, tokenRestrictions]
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
