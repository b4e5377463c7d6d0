/** The two stores of a queue, each with a way to interrupt it. */
import type { QueueAddress } from '../../../src/platform/queue/backend.js'
import { DatabaseProxy } from '../../support/database-proxy.js'
import { createDatabase } from '../../support/database.js'
import { describeWithRedis } from '../../support/describe-with.js'
import { startRedis } from '../../support/redis.js'
import type { TestRedis } from '../../support/redis.js'
import { waitFor } from '../../support/wait-for.js'

export interface OpenStore {
  address: QueueAddress
  /** Stops the store until `isNoticed` resolves to true. Jobs may be lost. */
  interrupt(isNoticed: () => Promise<boolean>): Promise<void>
  close(): Promise<void>
}

export const noDatabase = 'postgres://127.0.0.1:0/none'

async function openPostgres(): Promise<OpenStore> {
  const db = await createDatabase()
  const proxy = await DatabaseProxy.start(db.url)
  return {
    address: { databaseUrl: proxy.url, redisUrl: null },
    interrupt: async (isNoticed) => {
      // First, each new connection is terminated.
      for (let i = 0; i < 100; i++)
        await db.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()`,
        )
      proxy.refuseConnections()
      await waitFor('participants to notice the interruption', isNoticed)
      proxy.restoreConnections()
    },
    close: async () => {
      await proxy.stop()
      await db.drop()
    },
  }
}

async function openRedis(): Promise<OpenStore & { redis: TestRedis }> {
  const redis = await startRedis()
  return {
    redis,
    address: { databaseUrl: noDatabase, redisUrl: redis.url },
    interrupt: async (isNoticed) => {
      await redis.kill()
      await waitFor('participants to notice the interruption', isNoticed)
      await redis.start()
    },
    close: () => redis.close(),
  }
}

export const stores = [
  { name: 'in PostgreSQL', describeStore: describe, open: openPostgres },
  { name: 'in Redis', describeStore: describeWithRedis, open: openRedis },
]
