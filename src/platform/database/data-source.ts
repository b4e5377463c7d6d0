import type { DataSourceOptions } from 'typeorm'

import { InitialSchema1763700000000 } from '../../migrations/1763700000000-initial-schema.js'
import { LinksAndClicks1763800000000 } from '../../migrations/1763800000000-links-and-clicks.js'
import { LinkSearch1763850000000 } from '../../migrations/1763850000000-link-search.js'
import { EventsAndWebhooks1763900000000 } from '../../migrations/1763900000000-events-and-webhooks.js'
import { Replays1763950000000 } from '../../migrations/1763950000000-replays.js'
import { QuickCreates1764000000000 } from '../../migrations/1764000000000-quick-creates.js'
import { ClickFields1764500000000 } from '../../migrations/1764500000000-click-fields.js'
import { Analytics1764600000000 } from '../../migrations/1764600000000-analytics.js'
import { PgClient } from './pg-client.js'

/** Without entities: each feature brings its own (`TypeOrmModule.forFeature`). */
export function dataSourceOptions(url: string, poolSize = 10): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    migrations: [
      InitialSchema1763700000000,
      LinksAndClicks1763800000000,
      LinkSearch1763850000000,
      EventsAndWebhooks1763900000000,
      Replays1763950000000,
      QuickCreates1764000000000,
      ClickFields1764500000000,
      Analytics1764600000000,
    ],
    migrationsTransactionMode: 'each',
    poolSize,
    applicationName: 'link-service',
    connectTimeoutMS: 5_000,
    installExtensions: false,
    extra: {
      Client: PgClient,
      // What one caller sends without waiting goes out at once (statements.ts); for those who wait nothing changes.
      pipeline: true,
      statement_timeout: 30_000,
      idle_in_transaction_session_timeout: 60_000,
    },
  }
}
